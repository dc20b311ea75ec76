// The shared test vectors, and the proofs of the log of finished games, checked by the verifier in JavaScript: make test-js.

import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { VERDICT_CODES, fromBase64, includes, isConsistent, leafHash, readKeys, verifyExport } from "../../docs/verifying/verify.js";

const folder = new URL("../../docs/verifying/vectors/", import.meta.url);
const program = fileURLToPath(new URL("../../docs/verifying/verify.js", import.meta.url));
const index = JSON.parse(await readFile(new URL("index.json", folder), "utf8"));
const tree = JSON.parse(await readFile(new URL("tree.json", folder), "utf8"));

function found({ verdict, checks, first_bad: bad }) {
  if (bad === null) return { verdict };
  const blamed = checks.find((check) => check.verdict === "failed" && check.detail === bad.reason);
  return { verdict, check: blamed.name, ...(bad.version === null ? {} : { version: bad.version }), line: bad.line };
}

for (const { file, about, keys, expected, without_rules: withoutRules } of index) {
  test(`${file}: ${about}`, async () => {
    const report = await verifyExport(await readFile(new URL(file, folder)), { keys });
    assert.deepEqual(found(report), withoutRules ?? expected);
  });
}

const golden = new URL("../golden/logs/", import.meta.url);
for (const file of await readdir(golden)) {
  test(`${file}: a golden log is verified`, async () => {
    const report = await verifyExport(await readFile(new URL(file, golden)), { keys: index[0].keys });
    assert.deepEqual(found(report), { verdict: "verified" });
    assert.equal(report.checks.find((check) => check.name === "signature").verdict, "passed");
  });
}

test("a verified log is still not checked for its rules", async () => {
  const report = await verifyExport(await readFile(new URL("verified.ndjson", folder)), { keys: index[0].keys });
  const unchecked = report.checks.filter((check) => check.verdict !== "passed").map((check) => check.name);
  assert.deepEqual(unchecked, ["decisions", "board"]);
});

test("the command line ends with the code of the verdict", () => {
  for (const { file, keys, expected, without_rules: withoutRules } of index) {
    const args = [program, "--json", ...keys.flatMap((key) => ["--key", key]), fileURLToPath(new URL(file, folder))];
    const ended = spawnSync(process.execPath, args, { encoding: "utf8" });
    assert.equal(ended.status, VERDICT_CODES[(withoutRules ?? expected).verdict], ended.stderr);
    assert.deepEqual(found(JSON.parse(ended.stdout)), withoutRules ?? expected);
  }
});

test("a wrong use ends with 2", () => {
  for (const args of [[], ["none.ndjson"], ["--what"], ["--key", "nonsense", program], ["--key"], ["a", "b"]]) {
    const ended = spawnSync(process.execPath, [program, ...args], { encoding: "utf8" });
    assert.equal(ended.status, 2, args.join(" "));
  }
});

test("keys are read from the published set or from lines", () => {
  const [key] = index[0].keys;
  assert.deepEqual(readKeys(`${key}\n`), [key]);
  assert.deepEqual(readKeys(JSON.stringify({ keys: [{ key, status: "current" }] })), [key]);
});

test("a key that is none is the caller's mistake", async () => {
  const bytes = await readFile(new URL("verified.ndjson", folder));
  const [key] = index[0].keys;
  for (const bad of ["nonsense", key.replace("annales", "annalen"), key.slice(0, -4)]) {
    await assert.rejects(verifyExport(bytes, { keys: [bad] }), /no public key/);
  }
});

test("proofs of the log of finished games hold, and none that was changed", async () => {
  const root = (size) => fromBase64(tree.roots[size]);
  const leaves = await Promise.all(tree.entries.map(leafHash));
  for (const { index: at, size, path } of tree.inclusion) {
    const proof = path.map(fromBase64);
    assert.ok(await includes(root(size), size, at, leaves[at], proof), `leaf ${at} of ${size}`);
    assert.ok(!(await includes(root(size), size, at, leaves[(at + 1) % leaves.length], proof)));
    assert.ok(!(await includes(root(size), size, at, leaves[at], [...proof, leaves[0]])));
    if (proof.length) assert.ok(!(await includes(root(size), size, at, leaves[at], proof.slice(1))));
  }
  for (const { from, to, path } of tree.consistency) {
    const proof = path.map(fromBase64);
    assert.ok(await isConsistent(from, root(from), to, root(to), proof), `from ${from} to ${to}`);
    assert.ok(!(await isConsistent(from, leaves[0], to, root(to), proof)) || from === 1);
    assert.ok(!(await isConsistent(from, root(from), to, leaves[1], proof)));
    assert.ok(!(await isConsistent(from, root(from), to, root(to), [...proof, leaves[0]])));
  }
});
