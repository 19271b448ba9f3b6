"""Whole bundles, good and broken, with the verdict that each must get; `python -m tests.audit.bundles` writes them.

    good       games of every kind that hold, or are open
    dishonest  what a server writes that cheats
    damaged    files that were cut, mixed or changed afterwards
    clock  handover  recovery  bounds  unseen  forms  server
               what breaks one sentence of the specification each

Most are games of the two tiny test games, `pig` (open, a die) and `bids` (hidden, both lanes); the others are the
golden bundles that every later version must still judge as it did on the day they were written.
"""
