// The script of the page and of its workers. The code that wasm-bindgen generates precedes it.

/** The part of the script that runs in a worker: it searches the shards of a rung. */
function work() {
    let searches;
    let hashes = 0;
    let posted = 0;
    self.reportHashes = (count) => {
        hashes = count;
        const now = performance.now();
        if (now - posted > 100) {
            posted = now;
            postMessage({ hashes });
        }
    };
    const reply = async ({ module, text, damage, part, rung, shard, shards }) => {
        if (module) {
            await wasm_bindgen({ module_or_path: module });
            searches = wasm_bindgen.Asked.all(text, damage)[part].searches();
            searches.advance(rung);
            return { isReady: true };
        }
        const addresses = searches.search(shard, shards);
        return { hashes, addresses };
    };
    self.onmessage = ({ data }) => {
        reply(data).then(postMessage, (error) => postMessage({ error: String(error) }));
    };
}

/** A search that several workers share. There are more shards than workers, so none waits long. */
class SharedSearch {
    #workers = [];
    /** The hashes of each worker's unfinished shard. */
    #current = [];
    #finished = 0;
    #addresses = [];

    constructor(setup, threads, shards, { onProgress, onEnd, onError }) {
        let next = 1;
        let open = shards;
        const fail = (message) => {
            this.cancel();
            onError(message);
        };
        for (let at = 0; at < Math.min(threads, shards); at++) {
            const worker = new Worker(SOURCE);
            this.#workers.push(worker);
            this.#current.push(0);
            worker.onerror = (event) => fail(event.message);
            worker.onmessage = ({ data: { error, hashes, addresses } }) => {
                if (error) {
                    fail(error);
                    return;
                }
                this.#current[at] = hashes ?? 0;
                if (addresses) {
                    this.#addresses.push(...addresses);
                    this.#finished += hashes;
                    this.#current[at] = 0;
                    open--;
                }
                onProgress(this.hashes());
                if (open === 0) {
                    this.cancel();
                    onEnd(this.#addresses);
                } else if ((addresses || hashes === undefined) && next <= shards) {
                    worker.postMessage({ shard: next++, shards });
                }
            };
            worker.postMessage(setup);
        }
    }

    hashes() {
        return this.#current.reduce((sum, hashes) => sum + hashes, this.#finished);
    }

    cancel() {
        this.#workers.forEach((worker) => worker.terminate());
    }
}

/** A search of a few tenths of a second, whose time tells how fast this machine is. */
const SAMPLE = { text: "1lbcfr7sahtd9cgdqo3htmtkv8lk4znx71", damage: "none", part: 0, rung: 1 };

const SHARDS_PER_THREAD = 8;

async function page() {
    const [form, text, damage, example, start, cancel, figures, progress, status, answers] = [
        "form", "text", "damage", "example", "start", "cancel", "figures", "progress", "status",
        "answers",
    ].map((id) => document.getElementById(id));
    const threads = navigator.hardwareConcurrency || 2;
    let nanoseconds;
    /** The addresses in the text: what each asks, and what is said of it. */
    let parts = [];
    let search;
    const secondsFor = (hashes) => (hashes * nanoseconds) / 1e9 / threads;

    const say = (message, isError = false) => {
        status.textContent = message;
        status.className = isError ? "error" : "";
    };
    const show = (id, value) => {
        document.getElementById(id).textContent = value;
    };
    const showAfter = (isShown) => {
        document.querySelectorAll(".after").forEach((element) => {
            element.hidden = !isShown;
        });
    };
    const toSearch = () => parts.filter((part) => part.isOpen);
    const setRunning = (isRunning) => {
        start.disabled = isRunning || toSearch().length === 0;
        cancel.hidden = !isRunning;
        progress.hidden = !isRunning;
    };
    const stop = () => {
        search?.cancel();
        search = undefined;
        setRunning(false);
    };
    const list = () => {
        const item = ({ address, kinds }, share) => {
            const entry = document.createElement("li");
            const name = document.createElement("strong");
            name.textContent = address;
            const copy = document.createElement("button");
            copy.type = "button";
            copy.textContent = "Copy";
            copy.onclick = () => copyText(name, copy);
            const about = document.createElement("span");
            about.textContent = kinds.join(" or ") || "unknown network";
            if (share !== undefined) {
                about.textContent += `, ${share} likely to be the one`;
            }
            entry.append(name, copy, about);
            return entry;
        };
        const items = parts.flatMap(({ found, share }) => found.map((it) => item(it, share)));
        answers.replaceChildren(...items);
    };
    /** Says what there is to say of each address. Its number stands for it if there are several. */
    const sayAll = () => {
        const line = ({ line }, at) => (parts.length > 1 ? `Address ${at + 1}: ${line}` : line);
        say(parts.map(line).join("\n"), parts.every((part) => part.isError));
    };
    const sayOf = (part, line, isError = false) => {
        Object.assign(part, { line, isError });
        sayAll();
    };

    let timer;
    const read = () => {
        if (nanoseconds === undefined) {
            return;
        }
        clearTimeout(timer);
        stop();
        answers.replaceChildren();
        figures.hidden = true;
        parts.forEach((part) => part.asked.free());
        parts = [];
        say("");
        const note = document.getElementById("left-out");
        note.hidden = true;
        if (text.value.trim()) {
            try {
                const all = wasm_bindgen.Asked.all(text.value, damage.value);
                parts = all.map((asked) => ({ asked, line: "", found: [], isOpen: false }));
                const leftOut = all[0]?.leftOut();
                note.hidden = leftOut === undefined;
                note.textContent = sentence(leftOut);
                parts.forEach(describe);
                list();
                sayAll();
            } catch (error) {
                say(String(error), true);
            }
        }
        setRunning(false);
    };
    /** What an answer of the library says, in words. */
    const inWords = ({ addresses, certainty, note, tried, next }) => {
        if (addresses.length > 0) {
            const sure = certainty
                ? sureness(certainty, addresses.length)
                : "This is a valid address already.";
            return `${sure} ${sentence(note)}`.trim();
        }
        const kinds = tried.length - 1;
        const damage = kinds > 0 ? ` and with ${kinds} kinds of damage` : "";
        const more = next ? `; ${next} would take long or be noise` : "";
        return `Not found as written${damage}${more}. ${sentence(note)} Write ? for each character that may be wrong; ` +
            "if you know what happened, choose it above.";
    };
    /** Takes over an answer of the library. */
    const take = (part, answer) => {
        part.isOpen = false;
        part.found = answer.addresses;
        part.share = answer.percentage;
        part.isError = false;
        part.line = inWords(answer);
    };
    /** What is known before a search. */
    const describe = (part) => {
        const { asked } = part;
        const error = asked.error();
        if (error !== undefined) {
            Object.assign(part, { line: error, isError: true });
            return;
        }
        const answer = asked.answer();
        if (answer) {
            take(part, answer);
            return;
        }
        const [hashes, expected] = [asked.hashes(), asked.expectedByChance()];
        // They are of one address.
        figures.hidden = parts.length > 1;
        showAfter(false);
        show("kinds", asked.kinds().join(", ") || asked.note());
        show("candidates", BigInt(asked.candidates()).toLocaleString("en"));
        show("cost", `${count(hashes)} hashes, about ${time(secondsFor(hashes))} on ${threads} threads`);
        show("chance", figure(expected));
        const refusal = asked.refusal();
        const doubt = asked.isDoubtful() ? " Several addresses may fit." : "";
        part.isOpen = refusal === undefined;
        part.isError = !part.isOpen;
        part.line = part.isOpen
            ? `The search takes about ${time(secondsFor(hashes))}.${doubt}`
            : sentence(refusal);
    };
    const conclude = (part, found, climb, begin) => {
        const answer = climb.answer(found);
        const { hashes, next, tried, worth } = answer;
        const seconds = (performance.now() - begin) / 1000;
        showAfter(true);
        show("tried", tried.join(", "));
        show("next", next ?? "nothing was left out");
        show("effort", `${count(hashes)} hashes, ${time(seconds)}`);
        show("sure", worth ?? "nothing was found");
        take(part, answer);
        stop();
        list();
        sayAll();
        status.scrollIntoView({ block: "nearest" });
        searchNext();
    };
    /** Searches for the next address that takes a search, if there is one. */
    const searchNext = () => {
        const part = toSearch()[0];
        if (part) {
            ascend(part, part.asked.climb(), performance.now());
        }
    };
    /** Searches the next rung, and those after it until something is found. */
    const ascend = (part, climb, begin) => {
        const rung = climb.nextRung();
        if (rung === undefined) {
            conclude(part, [], climb, begin);
            return;
        }
        const expected = Math.max(climb.hashes(), 1);
        const start = performance.now();
        const place = parts.indexOf(part);
        const setup = { module, text: text.value, damage: damage.value, part: place, rung };
        const prefix = rung > 1 ? `Not found so far. Trying ${climb.name()}. ` : "";
        search = new SharedSearch(setup, threads, threads * SHARDS_PER_THREAD, {
            onProgress: (hashes) => {
                progress.value = hashes / expected;
                const spent = (performance.now() - start) / 1000;
                const left = (spent * Math.max(expected - hashes, 0)) / hashes;
                sayOf(part, hashes > 0 ? `${prefix}Searching, ${time(left)} left` : `${prefix}Searching`);
            },
            onEnd: (found) => {
                climb.add(found.length > 0, search.hashes());
                if (found.length === 0) {
                    ascend(part, climb, begin);
                } else {
                    conclude(part, found, climb, begin);
                }
            },
            onError: (message) => {
                stop();
                sayOf(part, `The search failed: ${message}`, true);
            },
        });
        progress.value = 0;
        sayOf(part, `${prefix}Searching`);
        setRunning(true);
    };

    form.onsubmit = (event) => {
        event.preventDefault();
        read();
        if (!start.disabled) {
            searchNext();
        }
    };
    cancel.onclick = () => {
        toSearch().forEach((part) => {
            part.line = "Cancelled.";
        });
        stop();
        sayAll();
    };
    text.oninput = () => {
        clearTimeout(timer);
        timer = setTimeout(read, 200);
    };
    damage.onchange = read;
    example.onclick = () => {
        text.value = SAMPLE.text;
        damage.value = SAMPLE.damage;
        read();
        start.focus();
    };

    say("Measuring this device");
    const base64 = document.getElementById("wasm").textContent.trim();
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    const module = await WebAssembly.compile(bytes);
    await wasm_bindgen({ module_or_path: module });
    nanoseconds = await new Promise((resolve, reject) => {
        const begin = performance.now();
        const sample = new SharedSearch({ module, ...SAMPLE }, 1, 1, {
            onProgress: () => {},
            onEnd: () => resolve(((performance.now() - begin) * 1e6) / sample.hashes()),
            onError: reject,
        });
    });
    document.body.dataset.nanoseconds = nanoseconds;
    read();
}

/** Copies the text of an element, and says so on the button. */
async function copyText(element, button) {
    try {
        await navigator.clipboard.writeText(element.textContent);
        button.textContent = "Copied";
    } catch {
        // Not every browser permits it in a file on disk: the user copies what is selected.
        getSelection().selectAllChildren(element);
        button.textContent = "Selected";
    }
}

const sureness = (certainty, answers) => answers > 1
    ? `${answers} addresses fit, and one of them may be yours.`
    : certainty === "certain"
        ? "Found: this is almost certainly the address."
        : certainty === "likely"
            ? "Found: this is probably the address."
            : "One address fits, but it may do so by chance.";

/** A text with a capital letter and a full stop. */
const sentence = (text) => (text ? `${text[0].toUpperCase()}${text.slice(1)}.` : "");

/** A whole number with its digits grouped. */
const count = (number) => Math.round(number).toLocaleString("en");

const figure = (number) => number >= 1000 ? count(number) : number.toLocaleString("en", { maximumSignificantDigits: 2 });

function time(seconds) {
    const units = [["years", 31_557_600], ["days", 86_400], ["hours", 3600], ["minutes", 60]];
    const [name, length] = units.find(([, length]) => seconds >= 2 * length) ?? ["s", 1];
    const amount = seconds / length;
    return `${amount < 10 ? amount.toFixed(1) : Math.round(amount).toLocaleString("en")} ${name}`;
}

/** What workers run: this script, as the page has it. */
const SOURCE = typeof document === "undefined" ? undefined : URL.createObjectURL(
    new Blob([document.currentScript.textContent], { type: "text/javascript" }),
);

if (SOURCE === undefined) {
    work();
} else {
    page().catch((error) => {
        const status = document.getElementById("status");
        status.textContent = `This browser cannot run the search: ${error}`;
        status.className = "error";
    });
}
