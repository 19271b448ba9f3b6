// Dialogs about keys: the first key and its recovery code, a new device, signing out. Opened by lobby, account and panel.
//
//     const key = await keydialog.ready(account);       // before anybody joins; null if the person turned away
//     if (!key) return;

/** @typedef {import("./keys.js").DeviceKey} DeviceKey */

/**
 * A key on this device, and a recovery code that is kept or declined in words; asks only what is still open.
 * @param {string | number} account @returns {Promise<DeviceKey | null>}
 */
export const ready = async (account) => missing(account);

/** On a new device: the code is typed, and this device's key is added to every running seat. @param {string | number} account @returns {Promise<DeviceKey | null>} */
export const recover = async (account) => missing(account);

/** A new recovery key with a new code, in place of the old one. @param {string | number} account @returns {Promise<boolean>} */
export const renew = async (account) => missing(account);

/** Before the session ends: key, plans and logs of this account go from here, unless told otherwise. @param {string | number} account @returns {Promise<boolean>} false: stay */
export const signOut = async (account) => missing(account);

/** @param {...unknown} given @returns {never} */
function missing(...given) {
  throw new Error(`not written yet (${given.length})`);
}
