// Checks the log of an Annales game with nothing but the log: the second verifier, written from docs/verifying.md.
//
// In a browser:   import { verifyExport } from "./verify.js"; const report = await verifyExport(bytes, { keys: [...] });
// With Node (20): node verify.js [--json] [--key KEY_OR_FILE]... FILE      (FILE - is standard input)
//
// It checks form, chain, private parts, signature, commitment, shuffles and ending. It knows no rules of any game, so it says
// "not_checked" of decisions and of the final board; `annales verify` checks those too.

const GENESIS = "sha256:" + "0".repeat(64);
const CHECKS = {
  form: "each line is canonical JSON, and the versions run 1, 2, 3, … without a gap",
  chain: "each event carries the digest of the one before, and its own digest fits it",
  private_parts: "the opened private parts fit their digests",
  signature: "the signed checkpoint is that of this log",
  commitment: "the seed fits the commitment of the first event",
  shuffles: "each shuffle, drawn again from the seed, comes out the same",
  decisions: "each command, decided again, brings about the same events",
  board: "the final board fits its digest",
  ending: "the game is over and its seed is opened",
};
const NEED_RULES = "this verifier knows no rules of the games";

/** Exit codes of the command line; 2 is a wrong use of it. */
export const VERDICT_CODES = { verified: 0, failed: 1, sealed: 3 };

/** Something in the log does not fit; `check` is the name of the check that found it. */
class Misfit extends Error {
  constructor(check, reason) {
    super(reason);
    this.check = check;
  }
}

/**
 * Check an export: a header line and one event a line. Never throws for what the export holds, only for keys that are none.
 *
 * `bytes` is a Uint8Array, `keys` are public keys as text (`name+id+base64`); without any the signature is not checked.
 * The report has `verdict` ("verified", "sealed" or "failed"), `game`, `version`, `head`, `checks` and `first_bad`.
 */
export async function verifyExport(bytes, { keys = [] } = {}) {
  const known = await Promise.all(keys.map(readKey));
  const audit = new Audit();
  const lines = linesOf(bytes);
  const rest = lines.pop();
  let header;
  try {
    header = readHeader(lines.length ? lines[0] : rest);
    audit.game = header.game;
    if (rest.length) throw new Misfit("form", "the last line does not end with a newline");
  } catch (misfit) {
    return audit.report(misfit, { version: null, line: header ? lines.length + 1 : 1 });
  }
  try {
    for (const line of lines.slice(1)) await audit.take(line);
    await audit.finish(header.checkpoint, known);
  } catch (misfit) {
    if (misfit.check === "signature") return audit.report(misfit, { version: null, line: 1 });
    return audit.report(misfit, { version: audit.at, line: audit.at + 1 });
  }
  return audit.report();
}

/** The state of one audit. */
class Audit {
  constructor() {
    this.game = null;
    this.head = GENESIS;
    this.version = 0;
    this.at = 1;
    this.allOpen = true;
    this.events = [];
    this.first = null;
    this.results = {};
  }

  /** Check form, chain and private parts of one event. */
  async take(line) {
    this.at = this.version + 1;
    const event = readEvent(line);
    if (event.version !== this.at) throw new Misfit("form", `version ${event.version} where ${this.at} should be`);
    if (event.game !== this.game) throw new Misfit("form", `an event of game ${event.game} in the log of ${this.game}`);
    if (event.prev !== this.head) throw new Misfit("chain", "its 'prev' is not the digest of the event before");
    if ((await privateDigest(event.private)) !== event.private_digest) {
      throw new Misfit("private_parts", "its private parts do not fit its 'private_digest'");
    }
    const { private: _, digest: stated, ...sealed } = event;
    if ((await digest(sealed)) !== stated) throw new Misfit("chain", "its 'digest' does not fit it");
    this.group(event);
    this.allOpen &&= event.private.every((part) => "data" in part);
    this.head = event.digest;
    this.version = event.version;
    this.events.push(event);
  }

  /** An event belongs to the command before it unless it brings a command of its own. */
  group(event) {
    if ("type" in event.command) this.first = event;
    else if (this.first === null || !belongs(event, this.first)) throw new Misfit("form", "it belongs to no command");
  }

  /** Check all that needs the whole log. */
  async finish(checkpoint, keys) {
    if (!this.events.length) throw new Misfit("form", "the log has no events");
    for (const name of ["form", "chain", "private_parts"]) this.set(name, "passed");
    const signature = await this.signature(checkpoint, keys);
    this.set("signature", ...signature);
    if (this.allOpen) await this.checkOpen();
    else this.seal();
    if (signature[0] === "failed") throw new Misfit("signature", signature[1]);
  }

  async checkOpen() {
    this.at = 1;
    const seed = await readSeed(this.events[0]);
    const chance = new Chance(seed, this.game);
    for (const event of this.events) {
      this.at = event.version;
      await chance.check(event);
    }
    this.set("commitment", "passed");
    this.set("shuffles", "passed");
    this.set("decisions", "not_checked", NEED_RULES);
    const last = this.events.at(-1);
    if (last.type !== "table.seed_revealed") {
      this.set("board", "sealed", "the game is not over");
      this.set("ending", "sealed", "the game is not over");
      return;
    }
    if (last.data.seed !== hex(seed)) {
      throw new Misfit("commitment", "the seed that was opened is not that of the first event");
    }
    this.set("board", "not_checked", NEED_RULES);
    this.set("ending", "passed");
  }

  /** What a log whose secrets are not opened yet leaves open. */
  seal() {
    for (const name of Object.keys(CHECKS)) {
      this.results[name] ??= ["sealed", "not before the private parts are opened"];
    }
    this.set("decisions", "not_checked", NEED_RULES);
  }

  /** How the signature checks out. A checkpoint of another head is wrong whoever has signed it. */
  async signature(checkpoint, keys) {
    if (checkpoint === null) return ["not_checked", "there is no signed checkpoint"];
    let stated;
    try {
      const note = readNote(checkpoint);
      const signer = keys.length ? await signerOf(note, keys) : null;
      stated = readCheckpoint(note.text);
      if (signer !== null && stated.name !== signer.name) {
        throw new Misfit("signature", `it speaks for ${stated.name}, and ${signer.name} has signed it`);
      }
    } catch (misfit) {
      if (misfit.name === "NotSupportedError") return ["not_checked", "there is no Ed25519 here"];
      return ["failed", `the checkpoint does not hold: ${misfit.message}`];
    }
    if (stated.game !== this.game || stated.version !== this.version || stated.head !== this.head) {
      return ["failed", `the checkpoint is of version ${stated.version}, head ${stated.head} of game ${stated.game}`];
    }
    return keys.length ? ["passed"] : ["not_checked", "no key was given"];
  }

  set(name, verdict, detail = CHECKS[name]) {
    this.results[name] = [verdict, detail];
  }

  /** What was found. */
  report(misfit = null, where = null) {
    if (misfit !== null) {
      if (!(misfit instanceof Misfit)) misfit = new Misfit("form", `it cannot be read: ${misfit.message}`);
      this.set(misfit.check, "failed", misfit.message);
    }
    const checks = Object.keys(CHECKS).map((name) => {
      const [verdict, detail] = this.results[name] ?? ["not_checked", "an earlier check failed"];
      return { name, verdict, detail };
    });
    const isSealed = checks.some((check) => check.verdict === "sealed");
    return {
      verdict: misfit !== null ? "failed" : isSealed ? "sealed" : "verified",
      game: this.game,
      version: this.version,
      head: this.head,
      checks,
      first_bad: misfit === null ? null : { ...where, reason: misfit.message },
    };
  }
}

// Canonical JSON

const UTF8 = new TextEncoder();

/** The canonical JSON (RFC 8785) of a value that `isPortable`. */
export function canonical(value) {
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(",")}}`;
}

/** Whether every language reads the value alike: whole numbers within 2**53, names in ASCII. */
function isPortable(value) {
  if (typeof value === "number") return Number.isSafeInteger(value);
  if (value === null || typeof value !== "object") return true;
  if (Array.isArray(value)) return value.every(isPortable);
  return Object.keys(value).every((name) => /^[\x00-\x7f]*$/.test(name) && isPortable(value[name]));
}

/** The value in a line, which must be its own canonical JSON byte for byte. */
function readLine(line, what) {
  let value;
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(line);
    value = JSON.parse(text);
    if (isPortable(value) && canonical(value) === text) return value;
  } catch (error) {
    throw new Misfit("form", `${what}: ${error.message}`);
  }
  throw new Misfit("form", "it is not canonical JSON");
}

function linesOf(bytes) {
  const lines = [];
  let start = 0;
  for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, start)) {
    lines.push(bytes.subarray(start, end));
    start = end + 1;
  }
  lines.push(bytes.subarray(start));
  return lines;
}

// The shape of headers and events

const isText = (value) => typeof value === "string";
const isWhole = (value) => Number.isSafeInteger(value);
const isList = (value) => Array.isArray(value);
const isObject = (value) => value !== null && typeof value === "object" && !isList(value);
const orNull = (test) => (value) => value === null || test(value);

/** Whether `value` is an object with just these fields, each passing its test. */
function hasShape(value, shape) {
  const names = Object.keys(shape);
  return (
    isObject(value) &&
    Object.keys(value).length === names.length &&
    names.every((name) => Object.hasOwn(value, name) && shape[name](value[name]))
  );
}

const HEADER = { annales_export: (value) => value === 1, game: isText, checkpoint: orNull(isText) };
const COMMAND_ID = { id: isText };
const COMMAND = { id: isText, type: isText, data: () => true, rules: isWhole };
const SEATS = (value) => isList(value) && value.every(isWhole);
const OPEN_PART = { seats: SEATS, salt: isText, data: () => true };
const SEALED_PART = { seats: SEATS, digest: isText };
const EVENT = {
  game: isText,
  version: isWhole,
  type: isText,
  schema: isWhole,
  data: () => true,
  private: (value) => isList(value) && value.every((part) => hasShape(part, OPEN_PART) || hasShape(part, SEALED_PART)),
  seat: orNull(isWhole),
  actor: (value) => ["player", "bot", "system"].includes(value),
  command: (value) => hasShape(value, COMMAND_ID) || hasShape(value, COMMAND),
  at: isText,
  private_digest: orNull(isText),
  prev: isText,
  digest: isText,
};

function readHeader(line) {
  const header = readLine(line, "the first line is no header of an export");
  if (!hasShape(header, HEADER)) throw new Misfit("form", "the first line is no header of an export");
  return header;
}

function readEvent(line) {
  const event = readLine(line, "it is no event");
  if (!hasShape(event, EVENT)) throw new Misfit("form", "it is no event");
  return event;
}

function belongs(event, first) {
  return (
    event.command.id === first.command.id &&
    event.seat === first.seat &&
    event.actor === first.actor &&
    event.at === first.at
  );
}

// Digests

async function sha256(bytes) {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
}

async function digest(value) {
  return "sha256:" + hex(await sha256(UTF8.encode(canonical(value))));
}

async function privateDigest(parts) {
  if (!parts.length) return null;
  return digest(await Promise.all(parts.map((part) => ("digest" in part ? part.digest : digest(part)))));
}

// Chance

/** The seed in the private part of the first event, once it fits the commitment there. */
async function readSeed(first) {
  const [part] = first.private;
  const isFounding = first.type === "table.game_created" || first.type === "table.game_forked";
  if (!isFounding || first.private.length !== 1 || !isObject(part.data) || !isObject(first.data)) {
    throw new Misfit("form", "a log begins with a founding event and its seed");
  }
  if (!isText(part.data.seed) || !/^[0-9a-f]{64}$/.test(part.data.seed)) {
    throw new Misfit("form", "a seed is 32 bytes in lower-case hex");
  }
  const seed = Uint8Array.from(part.data.seed.match(/../g), (byte) => parseInt(byte, 16));
  if (first.data.commitment !== "sha256:" + hex(await sha256(seed))) {
    throw new Misfit("commitment", "the seed does not fit the commitment");
  }
  return seed;
}

/** The chance of a game, drawn again: how many draws there were, and what players have added so far. */
class Chance {
  constructor(seed, game) {
    this.seed = seed;
    this.game = game;
    this.draws = 0;
    this.entropies = [];
  }

  /** Draw the shuffles of an event again, then take in what a player added with it. */
  async check(event) {
    for (const shuffle of shufflesOf(event)) {
      const again = shuffle.draw === this.draws ? await this.shuffle(shuffle.label, shuffle.items) : null;
      if (again === null || canonical(again) !== canonical(shuffle.order)) {
        const reason = `the shuffle of ${shuffle.label} comes out otherwise when it is drawn again`;
        throw new Misfit("shuffles", reason);
      }
      this.draws += 1;
    }
    const adds = event.type === "table.seat_taken" || event.type === "table.entropy_added";
    if (adds && isText(event.data.entropy)) this.entropies.push(event.data.entropy);
  }

  /** `items` in the order into which this draw brings them. */
  async shuffle(label, items) {
    const key = await crypto.subtle.importKey("raw", this.seed, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
    const words = this.words(key, label);
    const order = [...items];
    for (let last = order.length - 1; last > 0; last--) {
      const other = await below(words, last + 1);
      [order[last], order[other]] = [order[other], order[last]];
    }
    return order;
  }

  /** The random words of this draw: whole numbers below 2**32, big end first. */
  async *words(key, label) {
    for (let block = 0; ; block++) {
      const message = UTF8.encode(canonical([this.game, this.entropies, label, this.draws, block]));
      const view = new DataView(await crypto.subtle.sign("HMAC", key, message));
      for (let at = 0; at < view.byteLength; at += 4) yield view.getUint32(at);
    }
  }
}

/** A whole number in 0 … bound-1, each equally likely. */
async function below(words, bound) {
  const limit = 2 ** 32 - (2 ** 32 % bound);
  for (;;) {
    const { value } = await words.next();
    if (value < limit) return value % bound;
  }
}

const ITEMS = (value) => isList(value) && value.every((item) => isText(item) || isWhole(item));
const SHUFFLE = { label: isText, draw: isWhole, items: ITEMS, order: ITEMS };

/** The shuffles of an event by their numbers: fields of its data and of its parts' data, or members of lists in such fields. */
function shufflesOf(event) {
  const holders = [event.data, ...event.private.map((part) => part.data)].filter(isObject);
  const fields = holders.flatMap((holder) => Object.values(holder));
  const candidates = fields.flatMap((field) => (isList(field) ? field : [field]));
  return candidates.filter((value) => hasShape(value, SHUFFLE)).sort((one, other) => one.draw - other.draw);
}

// Signed notes (C2SP)

const CHECKPOINT = /^([^\s+]+)\/game\n([^\n]+)\n(0|[1-9]\d{0,15})\n(sha256:[0-9a-f]{64})\n$/u;

/** A public key `name+id+base64(0x01 || 32 bytes)`. Throws for anything else. */
export async function readKey(text) {
  const found = /^([^\s+]+)\+([0-9a-f]{8})\+(.+)$/u.exec(text.trim());
  const raw = found && fromBase64(found[3]);
  const id = raw && (await sha256(Uint8Array.of(...UTF8.encode(`${found[1]}\n`), ...raw))).subarray(0, 4);
  if (!raw || raw.length !== 33 || raw[0] !== 1 || hex(id) !== found[2]) throw new Error(`this is no public key: ${text}`);
  return { name: found[1], id: found[2], raw: raw.subarray(1) };
}

/** The public keys in a published key set (JSON), or in text with one key a line. */
export function readKeys(text) {
  const lines = text.trimStart().startsWith("{") ? JSON.parse(text).keys.map((key) => key.key) : text.split("\n");
  return lines.map((line) => line.trim()).filter(Boolean);
}

function readNote(note) {
  const cut = note.lastIndexOf("\n\n");
  if (/[\x00-\x09\x0b-\x1f]/.test(note) || cut < 0 || !note.endsWith("\n")) {
    throw new Misfit("signature", "it has no text with signature lines under it");
  }
  const lines = note.slice(cut + 2, -1).split("\n");
  if (lines.length > 100) throw new Misfit("signature", "it has more than 100 signatures");
  return { text: note.slice(0, cut + 1), signatures: lines.map(readSignature) };
}

function readSignature(line) {
  const found = /^— ([^\s+]+) ([A-Za-z0-9+/=]+)$/u.exec(line);
  const raw = found && fromBase64(found[2]);
  if (!raw || raw.length <= 4) throw new Misfit("signature", "a signature line is not '— name base64'");
  return { name: found[1], id: hex(raw.subarray(0, 4)), signature: raw.subarray(4) };
}

/** The first known key that has signed; one false signature of a known key spoils the note. */
async function signerOf(note, keys) {
  let signer = null;
  for (const { name, id, signature } of note.signatures) {
    const key = keys.find((known) => known.name === name && known.id === id);
    if (key === undefined) continue;
    if (!(await hasSigned(key, note.text, signature))) throw new Misfit("signature", "its signature is false");
    signer ??= key;
  }
  if (signer === null) throw new Misfit("signature", "it carries no signature of a known key");
  return signer;
}

async function hasSigned(key, text, signature) {
  const imported = await crypto.subtle.importKey("raw", key.raw, { name: "Ed25519" }, false, ["verify"]);
  return crypto.subtle.verify({ name: "Ed25519" }, imported, signature, UTF8.encode(text));
}

function readCheckpoint(text) {
  const found = CHECKPOINT.exec(text);
  if (!found) throw new Misfit("signature", "its text is not origin, game, version and head");
  return { name: found[1], game: found[2], version: Number(found[3]), head: found[4] };
}

// The log of finished games (RFC 9162, section 2.1)

/** The hash of the leaf that a game's entry is: `{game, head, version}` as the service states it. */
export async function leafHash(entry) {
  return sha256(Uint8Array.of(0, ...UTF8.encode(canonical(entry))));
}

async function nodeHash(left, right) {
  return sha256(Uint8Array.of(1, ...left, ...right));
}

/** Whether `proof` (byte arrays) shows that `leaf` is leaf `index` of the tree of `size` leaves with that root. */
export async function includes(root, size, index, leaf, proof) {
  if (index < 0 || index >= size) return false;
  let [node, last, hashed] = [index, size - 1, leaf];
  for (const sibling of proof) {
    if (last === 0) return false;
    const isRight = node % 2 === 1 || node === last;
    hashed = isRight ? await nodeHash(sibling, hashed) : await nodeHash(hashed, sibling);
    if (isRight) while (node % 2 === 0 && node > 0) [node, last] = [node / 2, Math.floor(last / 2)];
    [node, last] = [Math.floor(node / 2), Math.floor(last / 2)];
  }
  return last === 0 && hex(hashed) === hex(root);
}

/** Whether `proof` shows that the tree of `second` leaves begins with that of `first`. */
export async function isConsistent(first, firstRoot, second, secondRoot, proof) {
  if (first <= 0 || first > second) return false;
  if (first === second) return proof.length === 0 && hex(firstRoot) === hex(secondRoot);
  let power = 1;
  while (power < first) power *= 2;
  const path = power === first ? [firstRoot, ...proof] : [...proof];
  if (!path.length) return false;
  let [node, last] = [first - 1, second - 1];
  while (node % 2 === 1) [node, last] = [Math.floor(node / 2), Math.floor(last / 2)];
  let older = path[0];
  let newer = path[0];
  for (const sibling of path.slice(1)) {
    if (last === 0) return false;
    if (node % 2 === 1 || node === last) {
      older = await nodeHash(sibling, older);
      newer = await nodeHash(sibling, newer);
      while (node % 2 === 0 && node > 0) [node, last] = [node / 2, Math.floor(last / 2)];
    } else {
      newer = await nodeHash(newer, sibling);
    }
    [node, last] = [Math.floor(node / 2), Math.floor(last / 2)];
  }
  return last === 0 && hex(older) === hex(firstRoot) && hex(newer) === hex(secondRoot);
}

// Bytes

function hex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The bytes of standard base64; null unless it is just as it would be written. */
export function fromBase64(text) {
  try {
    const raw = atob(text);
    return btoa(raw) === text ? Uint8Array.from(raw, (character) => character.charCodeAt(0)) : null;
  } catch {
    return null;
  }
}

// The command line

async function main(argv) {
  const { readFile } = await import("node:fs/promises");
  const usage = (reason) => {
    console.error(`verify.js: ${reason}\nusage: node verify.js [--json] [--key KEY_OR_FILE]... FILE`);
    return 2;
  };
  const keys = [];
  const files = [];
  let asJson = false;
  for (let at = 0; at < argv.length; at++) {
    if (argv[at] === "--json") asJson = true;
    else if (argv[at] === "--key") keys.push(argv[++at]);
    else if (argv[at].startsWith("--")) return usage(`there is no option ${argv[at]}`);
    else files.push(argv[at]);
  }
  if (files.length !== 1 || keys.includes(undefined)) return usage("one file is checked");
  let bytes;
  const known = [];
  try {
    bytes = files[0] === "-" ? await readStandardInput() : await readFile(files[0]);
    for (const key of keys) known.push(...readKeys(await readFile(key, "utf8").catch(() => key)));
  } catch (error) {
    return usage(error.message);
  }
  if (keys.length && !known.length) return usage("there is no key in what --key names");
  let report;
  try {
    report = await verifyExport(new Uint8Array(bytes), { keys: known });
  } catch (error) {
    return usage(error.message);
  }
  console.log(asJson ? JSON.stringify(report, null, 2) : asText(report));
  return VERDICT_CODES[report.verdict];
}

async function readStandardInput() {
  const chunks = [];
  for await (const chunk of process.stdin) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function asText(report) {
  return [
    `${report.verdict}: game ${report.game ?? "?"}, version ${report.version}, head ${report.head}`,
    ...report.checks.map((check) => `  ${check.name}: ${check.verdict}. ${check.detail}`),
    ...(report.first_bad ? [`  line ${report.first_bad.line}: ${report.first_bad.reason}`] : []),
  ].join("\n");
}

if (globalThis.process?.argv?.[1] && import.meta.url.startsWith("file:")) {
  const { pathToFileURL } = await import("node:url");
  const { realpath } = await import("node:fs/promises");
  const started = await realpath(process.argv[1]).catch(() => process.argv[1]);
  if (import.meta.url === pathToFileURL(started).href) process.exitCode = await main(process.argv.slice(2));
}
