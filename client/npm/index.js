// Sealed Move for programs: keys and signatures, a log that is checked entry by entry, acts that survive lost answers.
//
//     const server = new Server("https://games.example", { token });
//     const game = new Game(server, id, { key, store });
//     await game.join();
//     const legal = await game.turn();
//     await game.move([legal[0].command]);
export { Server, Refusal, NoAnswer } from "./server.js";
export { makeKey, readKey, saveKey, sign, register } from "./keys.js";
export { DeviceError, beginDevice, waitForDevice } from "./device.js";
export { Game, NotSigned } from "./game.js";
export { memoryStore } from "./store.js";
export { VerificationError } from "../../server/http/static/record/verification-error.js";
