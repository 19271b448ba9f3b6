// What a browser can check of a log: chain, notes, signatures, keys, times, dice. Not the rules of the game: `CANNOT` says so.

/** @typedef {{seq: number, kind: string, at: string, hash: string, line: string, body: Record<string, any>}} Entry */
/** @typedef {{size: number, head: string, at: string, created: Record<string, any>, stage: "lobby" | "running" | "finished" | "cancelled"}} Table */

/** What no browser checks, in words for its user. */
export const CANNOT =
  "The page does not know the rules of the game, so it cannot check what a move did, nor who is to move; `sealedmove audit` can.";
