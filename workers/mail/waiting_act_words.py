"""The words for a waiting act, by its kind: the subject of the mail about it, and a sentence."""

SUBJECTS = {
    "erase": "request to delete your account",
    "drop-key": "request to remove a key",
    "drop-box": "request to delete your key backup",
    "let-in": "request to approve a new device",
    "address": "request to change your email address",
}
DEEDS = {
    "erase": "Someone signed in as you has asked to delete your account, with its email address, name, keys, tokens "
    "and bots.",
    "drop-key": "Someone signed in as you has asked to remove the key {about} from your account.",
    "drop-box": "Someone signed in as you has asked to delete your key backup. Your recovery code would stop working.",
    "let-in": "Someone signed in as you has asked to approve a new device with the key {about}.",
    "address": "Someone signed in as you has asked to change your email address to {about}. Anyone who reads emails "
    "there could then sign in as you.",
}
