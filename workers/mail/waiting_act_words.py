"""The words for what waits in an account, by its act: of a subject, and of a sentence."""

SUBJECTS = {
    "erase": "your account is to be erased",
    "drop-key": "a key is to be removed",
    "drop-box": "your key box is to be deleted",
    "let-in": "a new device",
    "address": "your mail is to go elsewhere",
}
DEEDS = {
    "erase": "to erase your account: its address, name, keys and tokens, and its bots",
    "drop-key": "that your account forgets the key {about}",
    "drop-box": "to delete your key box, and with it the use of your recovery code",
    "let-in": "that a new device signs for your account, with the key {about}",
    "address": "that your mail goes to {about}, and that whoever reads it there can sign in as you",
}
