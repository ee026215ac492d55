// The script of the page and of its workers. The code that wasm-bindgen generates precedes it.

/** The part of the script that runs in a worker: it searches the shards of a rung. */
function work() {
    let climb;
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
            climb = new wasm_bindgen.Climb(text, damage);
            for (let at = 0; at <= rung; at++) {
                climb.advance();
            }
            return { isReady: true };
        }
        const answers = climb.search(shard, shards);
        return { hashes, answers: answers.map(({ address, kinds }) => ({ address, kinds })) };
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
    #answers = [];

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
            worker.onmessage = ({ data: { error, hashes, answers } }) => {
                if (error) {
                    fail(error);
                    return;
                }
                this.#current[at] = hashes ?? 0;
                if (answers) {
                    this.#answers.push(...answers);
                    this.#finished += hashes;
                    this.#current[at] = 0;
                    open--;
                }
                onProgress(this.hashes());
                if (open === 0) {
                    this.cancel();
                    onEnd(this.#answers);
                } else if ((answers || hashes === undefined) && next <= shards) {
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
const SAMPLE = { text: "1lbcfr7sahtd9cgdqo3htmtkv8lk4znx71", damage: "none", rung: 0 };

const SHARDS_PER_THREAD = 8;

/** How long damage is tried that nobody described. */
const BUDGET_SECONDS = 10;

/** The rungs of a text, and what has been tried so far. */
class Ascent {
    #climb;
    #rung = -1;
    #secondsLeft = BUDGET_SECONDS;
    #begin;
    expected = 0;
    /** How likely the damage of the last rung is. */
    likelihood = 1;
    hashes = 0;
    tried = [];
    skipped = [];

    constructor(text, damage) {
        this.#climb = new wasm_bindgen.Climb(text, damage);
    }

    /**
     * Goes on to the next rung that fits into the budget and leaves the answer certain enough.
     * `secondsFor` says how long so many hashes take. Returns undefined at the top.
     */
    next(secondsFor) {
        this.#begin = performance.now();
        while (this.#climb.advance()) {
            this.#rung++;
            const [name, hashes] = [this.#climb.name(), this.#climb.hashes()];
            const expected = this.expected + this.#climb.expectedByChance();
            const isOptional = this.#rung > 0 && !this.#climb.isDescribed();
            const fits = secondsFor(hashes) <= this.#secondsLeft - this.#seconds();
            if (isOptional && (!fits || wasm_bindgen.certainty(1, expected, 1) === "uncertain")) {
                this.skipped.push(name);
                continue;
            }
            this.expected = expected;
            this.likelihood = this.#climb.likelihood();
            this.tried.push(name);
            return { rung: this.#rung, name, hashes, isOptional };
        }
        return undefined;
    }

    /** What was wrong in the text, if the last rung found its address. */
    change(address) {
        return this.#climb.change(address);
    }

    /** Counts the search of a rung. */
    add({ isOptional }, hashes) {
        this.hashes += hashes;
        if (isOptional) {
            this.#secondsLeft -= this.#seconds();
        }
    }

    #seconds() {
        return (performance.now() - this.#begin) / 1000;
    }
}

async function page() {
    const [form, text, damage, example, start, cancel, figures, progress, status, answers] = [
        "form", "text", "damage", "example", "start", "cancel", "figures", "progress", "status",
        "answers",
    ].map((id) => document.getElementById(id));
    const threads = navigator.hardwareConcurrency || 2;
    let nanoseconds;
    let question;
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
        start.disabled = isRunning || !question || question.isNoise();
        cancel.hidden = !isRunning;
        progress.hidden = !isRunning;
    };
    const stop = () => {
        search?.cancel();
        search = undefined;
        setRunning(false);
    };
    const list = (found, probability) => {
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
            if (probability !== undefined) {
                about.textContent += `, ${percentage(probability)} likely to be the one`;
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
        question?.free();
        question = undefined;
        say("");
        const leftOut = wasm_bindgen.left_out(text.value);
        const note = document.getElementById("left-out");
        note.hidden = leftOut === 0;
        note.textContent = `${leftOut} characters beside the address are left out: they may be a ` +
            "private key, or the name of a transaction.";
        if (text.value.trim()) {
            try {
                question = new wasm_bindgen.Question(text.value, damage.value);
            } catch (error) {
                const other = wasm_bindgen.corrected(text.value);
                if (other) {
                    list(other.answers, other.probability);
                    say(other.certainty
                        ? `${sureness(other.certainty, other.answers.length)} ${sentence(other.note)}`
                        : `This is a valid address already. ${sentence(other.note)}`);
                } else {
                    say(String(error), true);
                }
            }
        }
        setRunning(false);
        if (question) {
            describe();
        }
    };
    const describe = () => {
        const valid = question.valid();
        if (valid) {
            say("This is a valid address already.");
            list([valid]);
            start.disabled = true;
            return;
        }
        const [hashes, expected] = [question.hashes(), question.expectedByChance()];
        figures.hidden = false;
        showAfter(false);
        show("kinds", question.kinds().join(", ") || "none has this length and first character");
        show("candidates", BigInt(question.candidates()).toLocaleString("en"));
        show("cost", `${count(hashes)} hashes, about ${time(secondsFor(hashes))} on ${threads} threads`);
        show("chance", figure(expected));
        if (question.isNoise()) {
            say(`Too little is known: about ${figure(expected)} addresses fit by chance, and ` +
                "nothing tells which of them was meant. Give more characters.", true);
        } else {
            const doubt = question.isDoubtful() ? " Several addresses may fit." : "";
            say(`The search takes about ${time(secondsFor(hashes))}.${doubt}`);
        }
    };
    const conclude = (found, ascent, begin) => {
        stop();
        found.sort((a, b) => (a.address < b.address ? -1 : 1));
        const evidence = [found.length, ascent.expected, ascent.likelihood];
        const probability = found.length > 0 ? wasm_bindgen.probability(...evidence) : undefined;
        list(found, probability);
        const seconds = (performance.now() - begin) / 1000;
        showAfter(true);
        show("tried", ascent.tried.join(", "));
        show("skipped", ascent.skipped.join(", ") || "nothing was left out");
        show("effort", `${count(ascent.hashes)} hashes, ${time(seconds)}`);
        show("sure", found.length === 0 ? "nothing was found" : worth(probability, ascent.expected));
        if (found.length === 0) {
            const kinds = ascent.tried.length - 1;
            const tried = kinds === 0 ? "" : ` and with ${kinds} kinds of damage`;
            say(`Not found as written${tried}. If you know what happened, choose it above; write ` +
                "? for each character that may be wrong.");
            return;
        }
        const sure = sureness(wasm_bindgen.certainty(...evidence), found.length);
        const assumption = ascent.likelihood === 1
            ? ""
            : found.length === 1
                ? sentence(ascent.change(found[0].address))
                : `It assumes ${ascent.tried.at(-1)}.`;
        say(`${sure} ${assumption}`.trim());
        status.scrollIntoView({ block: "nearest" });
    };
    /** Searches the next rung, and those after it until something is found. */
    const climb = (ascent, begin) => {
        const rung = ascent.next(secondsFor);
        if (!rung) {
            conclude([], ascent, begin);
            return;
        }
        const expected = Math.max(rung.hashes, 1);
        const start = performance.now();
        const setup = { module, text: text.value, damage: damage.value, rung: rung.rung };
        const prefix = ascent.tried.length > 1 ? `Not found so far. Trying ${rung.name}. ` : "";
        search = new SharedSearch(setup, threads, threads * SHARDS_PER_THREAD, {
            onProgress: (hashes) => {
                progress.value = hashes / expected;
                const spent = (performance.now() - start) / 1000;
                const left = (spent * Math.max(expected - hashes, 0)) / hashes;
                say(hashes > 0 ? `${prefix}Searching, ${time(left)} left` : `${prefix}Searching`);
            },
            onEnd: (found) => {
                ascent.add(rung, search.hashes());
                if (found.length === 0) {
                    climb(ascent, begin);
                } else {
                    conclude(found, ascent, begin);
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
        climb(new Ascent(text.value, damage.value), performance.now());
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

/** A share of 1, rounded down. */
function percentage(share) {
    const percent = 100 * share;
    return percent > 99.9 ? "over 99.9 %"
        : percent >= 99 ? `${(Math.floor(10 * percent) / 10).toFixed(1)} %`
            : percent >= 1 ? `${Math.floor(percent)} %` : "under 1 %";
}

/** A probability beside what chance would find. */
const worth = (probability, expected) => `${percentage(probability)}: ` + (expected < 0.5
    ? `1 in ${count(1 / expected)} random texts of this form would also give an answer`
    : `about ${figure(expected)} addresses fit a random text of this form`);

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
