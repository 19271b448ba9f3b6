// Join a table of Tikal and play legal moves at random: generated types, a thin fetch, WebCrypto for the signatures.
//
//     make clients
//     node examples/play.ts           # opens a table for two and prints its number; node 22.18 or later
//     node examples/play.ts GAME      # joins that table
//
// `SITE` is the server, `MAIL` the page with its caught mails.
import createClient from "openapi-fetch";
import type { components, paths } from "../build/clients/typescript/schema.d.ts";

declare const process: { env: Record<string, string | undefined>; argv: string[]; exit(code: number): never };
type Schemas = components["schemas"];

const SITE = process.env.SITE ?? "http://127.0.0.1:8000";
const MAIL = process.env.MAIL ?? "http://127.0.0.1:8001";
const HOST = new URL(SITE).host;
const api = createClient<paths>({ baseUrl: SITE });

/** Returns the answer; otherwise ends the program with the server's error. */
function given<T>(answer: { data?: T; error?: Schemas["Problem"]; response: Response }): T {
  if (answer.data !== undefined) return answer.data;
  console.error(`${answer.error?.code ?? answer.response.status}: ${answer.error?.title ?? ""}`);
  return process.exit(1);
}

const pause = (ms: number) => new Promise((go) => setTimeout(go, ms));
const bytes = (text: string) => new TextEncoder().encode(text);
const b64 = (data: ArrayBuffer | Uint8Array<ArrayBuffer>) =>
  btoa(String.fromCharCode(...new Uint8Array(data)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

const pair = (await crypto.subtle.generateKey("Ed25519", true, ["sign", "verify"])) as CryptoKeyPair;
const jwk: Schemas["Jwk"] = {
  crv: "Ed25519",
  kty: "OKP",
  x: b64(await crypto.subtle.exportKey("raw", pair.publicKey)),
};
const kid = b64(await crypto.subtle.digest("SHA-256", bytes(JSON.stringify(jwk))));

async function sign(payload: object, typ: Schemas["JwsHeader"]["typ"] = "sealedmove+jws"): Promise<string> {
  const header: Schemas["JwsHeader"] = { alg: "Ed25519", kid, typ };
  const said = `${b64(bytes(JSON.stringify(header)))}.${b64(bytes(JSON.stringify(payload)))}`;
  return `${said}.${b64(await crypto.subtle.sign("Ed25519", pair.privateKey, bytes(said)))}`;
}

/** Signs in by a mailed link, which the page of caught mails shows. A bot of this account then plays. */
async function signIn(): Promise<void> {
  const email = `tessa.${crypto.randomUUID()}@players.example`;
  given(await api.POST("/v1/login", { body: { email, name: "Tessa" } }));
  let link: string | undefined;
  while (link === undefined) {
    const mails = await (await fetch(`${MAIL}/mail.json?to=${email}`)).text();
    link = /\/login\/([\w.~-]+)/.exec(mails)?.[1];
    if (link === undefined) await pause(200);
  }
  const person = given(await api.POST("/v1/login/confirm", { body: { token: link, name: "tessa" } }));
  const headers = { Authorization: `Bearer ${person.token}` };
  const { token } = given(await api.POST("/v1/me/bots", { headers, body: { name: "Tessa's program" } }));
  api.use({
    onRequest({ request }) {
      request.headers.set("Authorization", `Bearer ${token}`);
    },
  });
}

async function register(): Promise<void> {
  const { nonce } = given(await api.POST("/v1/me/keys/challenge"));
  const payload: Schemas["RegisterPayload"] = { v: 1, aud: HOST, act: "register", key: jwk, nonce };
  given(await api.POST("/v1/me/keys", { body: { jws: await sign(payload, "sealedmove-key+jws") } }));
}

const look = async (game_id: string) => given(await api.GET("/v1/games/{game_id}", { params: { path: { game_id } } }));

async function join({ id, head }: Schemas["Game"], seat: number): Promise<void> {
  const payload: Schemas["JoinPayload"] = {
    ...{ v: 1, aud: HOST, game: id, act: "join", seat, seq: head.seq + 1, prev: head.hash },
    ...{ key: jwk, recovery: null, bot: true, nonce: b64(crypto.getRandomValues(new Uint8Array(32))) },
  };
  const params = { path: { game_id: id } };
  given(await api.POST("/v1/games/{game_id}/join", { params, body: { jws: await sign(payload) } }));
}

/** Chooses a legal command by the entry's number; half of the time it ends the turn where that is legal. */
async function move({ id, head }: Schemas["Game"], seat: number): Promise<void> {
  const params = { path: { game_id: id } };
  const legal = given(await api.GET("/v1/games/{game_id}/legal", { params }));
  const commands = legal.flatMap((option) => (option.type === "tikal" ? [option.command] : []));
  const end: Schemas["TikalStep"][] = head.seq % 4 < 2 ? [{ try: { do: "done" } }] : [];
  const payload: Schemas["TikalMovePayload"] = {
    ...{ v: 1, aud: HOST, game: id, act: "move", seat, seq: head.seq + 1, prev: head.hash },
    commands: [commands[(head.seq * 7) % commands.length]!, ...end],
  };
  given(await api.POST("/v1/games/{game_id}/moves", { params, body: { jws: await sign(payload) } }));
}

await signIn();
await register();
const named = process.argv[2];
let game = named ? await look(named) : given(await api.POST("/v1/games", { body: { type: "tikal", seats: 2 } }));
const seat = named ? 1 : 0;
if (!named) console.log(game.id);
await join(game, seat);
for (game = await look(game.id); ["lobby", "running"].includes(game.status); game = await look(game.id)) {
  if (game.active.includes(seat)) await move(game, seat);
  else {
    const params = { path: { game_id: game.id }, query: { after: game.head.seq, wait: 20 } };
    await api.GET("/v1/games/{game_id}/log", { params }); // held until something happens
  }
}
console.log(`over: ${game.result?.reason}, places ${JSON.stringify(game.result?.places)}`);
