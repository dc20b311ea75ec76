// A bot that plays a whole game of chance moves: node build/bot.js http://127.0.0.1:8000 kreta
import type { Event, Game, LegalCommands, NewSeat, Problem, Registered } from "./build/schema.js";
const [base = "http://127.0.0.1:8000", ruleset = "kreta"] = process.argv.slice(2);
const headers: Record<string, string> = { "Content-Type": "application/json" };
const sleep = (seconds: number) => new Promise((wake) => setTimeout(wake, seconds * 1000));
const unlessMovedOn = (no: Problem) => (no.status === 412 ? null : Promise.reject(no)); // the stream tells

/** Asks until there is an answer; the key lets the service do a command once, however often it is sent. */
async function ask<T>(path: string, body?: unknown, version?: number): Promise<T> {
  const own = { "Idempotency-Key": crypto.randomUUID(), ...(version && { "If-Match": `"${version}"` }) };
  const sent = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
  for (let tried = 1; ; tried++) {
    const answer = await fetch(base + path, { ...sent, headers: { ...headers, ...own } }).catch(() => null);
    const told: unknown = await answer?.json().catch(() => null);
    if (answer?.ok && told) return told as T;
    if (tried === 8 || (told && ![429, 503].includes(answer!.status))) throw told ?? new Error(`No answer from ${base}`);
    await sleep(Number(answer?.headers.get("Retry-After") ?? 0.1 * 2 ** tried));
  }
}

/** The events of a game as they happen, each once and in order, to its end. */
async function* follow(path: string): AsyncGenerator<Event> {
  for (let last = 0; ; await sleep(0.2)) {
    const own = { ...headers, Accept: "application/x-ndjson" };
    const stream = await fetch(`${base}${path}/events?after=${last}`, { headers: own }).catch(() => null);
    if (stream?.status === 204) return; // the game is over, and all of it is read
    const reader = stream?.ok && stream.body?.pipeThrough(new TextDecoderStream()).getReader();
    for (let rest = "", read; reader && (read = await reader.read().catch(() => null)) && !read.done; ) {
      const lines = (rest + read.value).split("\n");
      rest = lines.pop() ?? "";
      for (const event of lines.filter(Boolean).map((line) => JSON.parse(line) as Event)) {
        last = event.version;
        yield event;
      }
    }
  }
}

headers["Authorization"] = `Bearer ${(await ask<Registered>("/v1/players", { name: "Random Rita" })).token}`;
const seats: NewSeat[] = [{ kind: "me" }, { kind: "bot", bot: "random" }];
const game = `/v1/games/${(await ask<Game>("/v1/games", { ruleset, seats })).id}`;
let turn: LegalCommands = { version: 0, seat: 0, commands: [] };
for await (const event of follow(game)) {
  if (event.version < turn.version) continue; // we have seen the game at a later moment already
  turn = await ask(`${game}/legal-commands`);
  const command = turn.commands[Math.floor(Math.random() * turn.commands.length)]; // your strategy goes here
  if (command) await ask(`${game}/commands`, { ...command, seat: turn.seat }, turn.version).catch(unlessMovedOn);
}
console.log(`Over: ${JSON.stringify((await ask<Game>(game)).result)}`);
