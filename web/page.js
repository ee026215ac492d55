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
    const reply = async ({ module, text, damage, rung, shard, shards }) => {
        if (module) {
            await wasm_bindgen({ module_or_path: module });
            searches = new wasm_bindgen.Asked(text, damage).searches();
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
const SAMPLE = { text: "1lbcfr7sahtd9cgdqo3htmtkv8lk4znx71", damage: "none", rung: 1 };

const SHARDS_PER_THREAD = 8;

async function page() {
    const [form, text, damage, example, start, cancel, figures, progress, status, answers] = [
        "form", "text", "damage", "example", "start", "cancel", "figures", "progress", "status",
        "answers",
    ].map((id) => document.getElementById(id));
    const threads = navigator.hardwareConcurrency || 2;
    let nanoseconds;
    let asked;
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
    const setRunning = (isRunning) => {
        start.disabled = isRunning || !asked || asked.refusal() !== undefined;
        cancel.hidden = !isRunning;
        progress.hidden = !isRunning;
    };
    const stop = () => {
        search?.cancel();
        search = undefined;
        setRunning(false);
    };
    const list = (found, share) => {
        const item = ({ address, kinds }) => {
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
        answers.replaceChildren(...found.map(item));
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
        asked?.free();
        asked = undefined;
        say("");
        const note = document.getElementById("left-out");
        note.hidden = true;
        if (text.value.trim()) {
            try {
                asked = new wasm_bindgen.Asked(text.value, damage.value);
                note.hidden = asked.leftOut() === undefined;
                note.textContent = sentence(asked.leftOut());
                const answer = asked.answer();
                if (answer) {
                    asked = undefined;
                    tell(answer);
                }
            } catch (error) {
                say(String(error), true);
            }
        }
        setRunning(false);
        if (asked) {
            describe();
        }
    };
    /** Shows an answer of the library. */
    const tell = ({ addresses, certainty, note, percentage, tried, next }) => {
        list(addresses, percentage);
        if (addresses.length > 0) {
            const sure = certainty
                ? sureness(certainty, addresses.length)
                : "This is a valid address already.";
            say(`${sure} ${sentence(note)}`.trim());
            return;
        }
        const kinds = tried.length - 1;
        const damage = kinds > 0 ? ` and with ${kinds} kinds of damage` : "";
        const more = next ? `; ${next} would take long or be noise` : "";
        say(`Not found as written${damage}${more}. ${sentence(note)} Write ? for each character that may be wrong; ` +
            "if you know what happened, choose it above.");
    };
    const describe = () => {
        const [hashes, expected] = [asked.hashes(), asked.expectedByChance()];
        figures.hidden = false;
        showAfter(false);
        show("kinds", asked.kinds().join(", ") || asked.note());
        show("candidates", BigInt(asked.candidates()).toLocaleString("en"));
        show("cost", `${count(hashes)} hashes, about ${time(secondsFor(hashes))} on ${threads} threads`);
        show("chance", figure(expected));
        if (asked.refusal() !== undefined) {
            say(sentence(asked.refusal()), true);
        } else {
            const doubt = asked.isDoubtful() ? " Several addresses may fit." : "";
            say(`The search takes about ${time(secondsFor(hashes))}.${doubt}`);
        }
    };
    const conclude = (found, climb, begin) => {
        stop();
        const answer = climb.answer(found);
        const { hashes, next, tried, worth } = answer;
        const seconds = (performance.now() - begin) / 1000;
        showAfter(true);
        show("tried", tried.join(", "));
        show("next", next ?? "nothing was left out");
        show("effort", `${count(hashes)} hashes, ${time(seconds)}`);
        show("sure", worth ?? "nothing was found");
        tell(answer);
        status.scrollIntoView({ block: "nearest" });
    };
    /** Searches the next rung, and those after it until something is found. */
    const ascend = (climb, begin) => {
        const rung = climb.nextRung();
        if (rung === undefined) {
            conclude([], climb, begin);
            return;
        }
        const expected = Math.max(climb.hashes(), 1);
        const start = performance.now();
        const setup = { module, text: text.value, damage: damage.value, rung };
        const prefix = rung > 1 ? `Not found so far. Trying ${climb.name()}. ` : "";
        search = new SharedSearch(setup, threads, threads * SHARDS_PER_THREAD, {
            onProgress: (hashes) => {
                progress.value = hashes / expected;
                const spent = (performance.now() - start) / 1000;
                const left = (spent * Math.max(expected - hashes, 0)) / hashes;
                say(hashes > 0 ? `${prefix}Searching, ${time(left)} left` : `${prefix}Searching`);
            },
            onEnd: (found) => {
                climb.add(found.length > 0, search.hashes());
                if (found.length === 0) {
                    ascend(climb, begin);
                } else {
                    conclude(found, climb, begin);
                }
            },
            onError: (message) => {
                stop();
                say(`The search failed: ${message}`, true);
            },
        });
        progress.value = 0;
        say(`${prefix}Searching`);
        setRunning(true);
    };

    form.onsubmit = (event) => {
        event.preventDefault();
        read();
        if (start.disabled) {
            return;
        }
        ascend(asked.climb(), performance.now());
    };
    cancel.onclick = () => {
        stop();
        say("Cancelled.");
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
