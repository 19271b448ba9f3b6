"""Our games with the interfaces of other libraries: wrappers to copy, and those libraries' own tests (`make peers`)."""
