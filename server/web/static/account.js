// The account's page: what needs a signature is signed with this device's key, and then it happens at once.
