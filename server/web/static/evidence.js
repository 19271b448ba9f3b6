// One game as this browser has checked it: its lines, the last note, and whatever did not hold, kept before it is judged.
//
//     const game = evidence.game(account, id);
//     const { table, seat, news } = await game.check();    // Lie: says what was expected and found; nothing is signed

/** @typedef {import("./check.js").Table} Table */
/** @typedef {import("./check.js").Entry} Entry */
/** @typedef {{table: Table, seat: number | null, news: Entry[], note: string}} Checked `news` are entries that are new here */

/** @param {string | number} account @param {string} id @returns {Game} */
export const game = (account, id) => new Game(account, id);

export class Game {
  /** @param {string | number} account @param {string} id */
  constructor(account, id) {
    this.account = account;
    this.id = id;
  }

  /** Fetch what is new, check it, keep it. @returns {Promise<Checked>} */
  async check() {
    throw new Error("not written yet");
  }
}
