// Laws of the npm package, run where it is installed: a whole log holds, and one that changes is signed on no more.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, readdirSync } from "node:fs";
import test from "node:test";

import { Game, NotSigned, Server, VerificationError, makeKey, memoryStore, register } from "sealedmove-client";
import { fileStore } from "sealedmove-client/files";

const ID = "0193f3c2-0000-7000-8000-000000000001";
const [begin, ...rest] = readFileSync(`${process.env.BUNDLES}/bots.txt`, "utf8").split("\n");
const LINES = rest.filter((line) => line.startsWith('{"at"'));
const NOTE = `${rest
  .slice(rest.findIndex((line) => line.startsWith("games.example/game/")))
  .join("\n")
  .trimEnd()}\n`;

const TABLES = JSON.parse(readFileSync(process.env.TABLES, "utf8"));
const PROBLEM = { "Content-Type": "application/problem+json" };
const NO = (code) => new Response(JSON.stringify({ code }), { status: 409, headers: PROBLEM });

Date.now = () => Date.parse("2027-01-01T00:00:00Z"); // later than the logs, whenever the tests run

/** A table that waits for players, at a server that refuses all acts and gives these other answers by path. */
const table = ({ id, lines, note }, answers, given = {}) => {
  const sent = [];
  const fetch = async (url, { method, body }) => {
    if (method === "POST") return (sent.push(payloadOf(body)), NO("refused"));
    const path = new URL(url).pathname;
    if (path.endsWith("/log")) return Response.json({ entries: lines, note });
    return path in answers ? Response.json(answers[path]) : NO("not-found");
  };
  const at = new Server("https://games.example", { fetch, token: "token" });
  return { sent, join: async (...more) => new Game(at, id, { key: await makeKey(), ...given }).join(...more) };
};

const payloadOf = (body) => JSON.parse(Buffer.from(JSON.parse(body).jws.split(".")[1], "base64url").toString());

/** A server that shows these lines, and what `posts` answers to acts. */
const server = (lines, posts = () => new Response(null, { status: 503 })) =>
  new Server("https://games.example", {
    sleep: async () => {},
    fetch: async (url, { method, body }) => {
      if (method === "POST") return posts(body);
      if (!url.includes("/log?")) return Response.json({ code: "not-found" }, { status: 404 });
      const after = Number(new URL(url).searchParams.get("after"));
      return Response.json({ entries: lines.slice(after + 1), note: NOTE });
    },
  });

test("a whole log is checked, and goes on where it ended", async () => {
  assert.equal(begin, "sealedmove bundle 1");
  const store = memoryStore();
  const game = new Game(server(LINES), ID, { store });
  assert.equal((await game.check()).length, LINES.length);
  const again = new Game(server(LINES), ID, { store });
  assert.deepEqual(await again.check(), []);
  assert.equal(again.entries.length, LINES.length);
});

test("a changed entry is refused, also by the next process and after the server has mended it", async () => {
  const store = memoryStore();
  const changed = LINES.map((line, at) => (at === 3 ? line.replace("2026-11-21", "2026-11-22") : line));
  await assert.rejects(new Game(server(changed), ID, { store }).check(), VerificationError);
  await assert.rejects(new Game(server(LINES), ID, { store, key: await makeKey() }).resign(), VerificationError);
});

test("a log that is shorter than its checkpoint is refused", async () => {
  await assert.rejects(new Game(server(LINES.slice(0, -1)), ID).check(), (error) => error.code === "short-log");
});

test("without an answer the same bytes are sent again, and by the next process too", async () => {
  const [store, sent] = [memoryStore(), []];
  const lost = server(LINES, (body) => (sent.push(body), new Response(null, { status: 503 })));
  const key = await makeKey();
  const is = (code) => (error) => error instanceof NotSigned && error.code === code;
  await assert.rejects(new Game(lost, ID, { store, key }).join(1), is("not-sent"));
  await assert.rejects(new Game(lost, ID, { store, key }).join(1), is("not-sent"));
  assert.equal(sent.length, 12);
  assert.equal(new Set(sent).size, 1);
});

test("a refused act leaves its place unsettled, until the program agrees to sign another", async () => {
  const [store, sent] = [memoryStore(), []];
  const type = { "Content-Type": "application/problem+json" };
  const refuses = (body) => (
    sent.push(body),
    new Response('{"code":"unregistered-key"}', { status: 409, headers: type })
  );
  const game = new Game(server(LINES, refuses), ID, { store, key: await makeKey() });
  await assert.rejects(game.join(1), (error) => error.code === "unregistered-key");
  await assert.rejects(game.join(1), (error) => error.code === "unsettled");
  assert.equal(sent.length, 1);
  await assert.rejects(game.join(1, { either: true }), (error) => error.code === "unregistered-key");
  assert.equal(sent.length, 2);
});

test("an act that could not be stored is not sent, by the next one either", async () => {
  const [store, sent] = [memoryStore(), []];
  const full = {
    ...store,
    put: async (name, value) => (value.pending ? Promise.reject(new Error("full")) : store.put(name, value)),
  };
  const game = new Game(
    server(LINES, (body) => sent.push(body)),
    ID,
    { store: full, key: await makeKey() },
  );
  await assert.rejects(game.join(1), /full/);
  await assert.rejects(game.join(1), /full/);
  assert.equal(sent.length, 0);
});

test("a finding that could not be stored holds in this process", async () => {
  const full = { ...memoryStore(), put: () => Promise.reject(new Error("full")) };
  const shown = LINES.map((line, at) => (at === 3 ? line.replace("2026-11-21", "2026-11-22") : line));
  const game = new Game(server(shown), ID, { store: full, key: await makeKey() });
  await assert.rejects(game.check());
  shown.splice(0, shown.length, ...LINES);
  await assert.rejects(game.resign(), VerificationError);
});

test("a key is registered although the answer is lost, which makes its nonce useless", async () => {
  const answers = [new Response(null, { status: 503 }), NO("bad-challenge"), Response.json({}, { status: 201 })];
  const sent = [];
  const fetch = async (url, { body }) => {
    if (url.endsWith("/challenge")) return Response.json({ nonce: `nonce ${sent.length}` });
    sent.push(payloadOf(body).nonce);
    return answers.shift();
  };
  await register(new Server("https://games.example", { fetch, sleep: async () => {} }), await makeKey());
  assert.deepEqual(sent, ["nonce 0", "nonce 0", "nonce 2"]);
});

test("a value that cannot be stored leaves the one before, and no other file", async () => {
  const folder = mkdtempSync("kept-");
  const store = fileStore(folder);
  await store.put("game", { kept: 1 });
  await assert.rejects(store.put("game", { kept: 1n }), TypeError);
  assert.deepEqual(await store.get("game"), { kept: 1 });
  assert.equal(readdirSync(folder).length, 1);
});

test("of checks at once each entry is added once, so the log goes on holding", async () => {
  const store = memoryStore();
  const game = new Game(server(LINES), ID, { store });
  await Promise.all([game.check(), game.check(), game.check()]);
  assert.deepEqual(
    game.entries.map(({ seq }) => seq),
    LINES.map((_, at) => at),
  );
  assert.deepEqual(await new Game(server(LINES), ID, { store }).check(), []);
});

test("a player joins the seat that is kept for them, or one that is kept for nobody", async () => {
  const { id } = TABLES.waiting;
  const shown = (...kept) => ({ [`/v1/games/${id}`]: { seats: kept.map((one, seat) => ({ seat, kept: one })) } });
  const ours = {
    "/v1/me/invitations": [
      { game: "another", seat: 0 },
      { game: id, seat: 2 },
    ],
  };
  for (const [answers, seat] of [
    [shown(null, null, null), 0],
    [shown("person", null, "person"), 1],
    [{ ...shown("easy", null, "person"), ...ours }, 2],
  ]) {
    const { sent, join } = table(TABLES.waiting, answers);
    await assert.rejects(join(), (error) => error.code === "refused");
    assert.equal(sent[0].seat, seat);
  }
  const { sent, join } = table(TABLES.waiting, shown("person", "easy", "person"));
  await assert.rejects(join(), (error) => error instanceof NotSigned && error.code === "seat-kept");
  assert.equal(sent.length, 0);
});

test("nothing is signed on a log that is dated ahead of this machine's clock", async () => {
  const { sent, join } = table(TABLES.ahead, {});
  await assert.rejects(join(0), (error) => error instanceof NotSigned && error.code === "not-yet");
  assert.equal(sent.length, 0);
});

test("a table that allows unsigned moves is joined only by a program that agrees to them", async () => {
  const { sent, join } = table(TABLES.unsigned, {});
  await assert.rejects(join(0), (error) => error instanceof NotSigned && error.code === "unsigned-table");
  assert.equal(sent.length, 0);
  const agreed = table(TABLES.unsigned, {}, { unsigned: true });
  await assert.rejects(agreed.join(0), (error) => error.code === "refused");
  assert.equal(agreed.sent.length, 1);
});

test("a bot states in its join that it is one", async () => {
  const sent = [];
  const lost = server(LINES, (body) => (sent.push(JSON.parse(body).jws), new Response(null, { status: 503 })));
  for (const bot of [true, false]) {
    await assert.rejects(new Game(lost, ID, { key: await makeKey(), bot }).join(1));
    const act = JSON.parse(Buffer.from(sent.at(-1).split(".")[1], "base64url").toString());
    assert.equal(act.bot, bot);
  }
});

test("a move that was chosen for an earlier position is not signed", async () => {
  const sent = [];
  const posts = (body) => (sent.push(body), new Response(null, { status: 503 }));
  const [store, key] = [memoryStore(), await makeKey()];
  const game = new Game(server(LINES, posts), ID, { store, key });
  const size = (await game.check()).length;
  await assert.rejects(game.move([{}], { seen: size }), (error) => error.code === "no-seat");
  const kept = await store.get(game.name);
  await assert.rejects(game.move([{}], { seen: size - 1 }), (error) => error.code === "stale");
  await assert.rejects(game.move([{}], { seen: 0 }), (error) => error.code === "stale");
  assert.deepEqual([sent, await store.get(game.name)], [[], kept]);
});

test("an act waits for the one before it, and is not held up if that one fails", async () => {
  const sent = [];
  const type = { "Content-Type": "application/problem+json" };
  const refuses = (body) => (sent.push(body), new Response('{"code":"late"}', { status: 409, headers: type }));
  const game = new Game(server(LINES, refuses), ID, { key: await makeKey() });
  const done = await Promise.allSettled([game.join(1), game.join(1), game.resign({ either: true })]);
  assert.deepEqual(
    done.map(({ reason }) => reason.code),
    ["late", "unsettled", "no-seat"],
  );
  assert.equal(sent.length, 1);
});
