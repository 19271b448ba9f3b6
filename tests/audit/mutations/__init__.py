"""Structured mutations of good bundles: changes that somebody might make, repaired afterwards as far as possible.

    mutant = mutant_of(7, seed=1)           always the same for one number, seed and set of bundles
    mutant.data, mutant.did, mutant.repair  the file, what was changed in it, how it was made to look whole again

Members, entries, acts, keys, clocks, notes and openings are changed, dropped, repeated, swapped and put in. Then one of

    nothing     is repaired: the person who changed it has no key
    noted       the server signs a new note
    chained     the server numbers and chains the entries again and signs a new note: it has no player's key
    conspired   the same, and every act is signed again for its new place by its own key: all players help

`may_pass` says why a mutant may hold or be open all the same, "" if it must not: nothing has changed; all have signed
another game; the signer of an act has signed another one; or only the server's own statements have changed, at the end
of the log, where nobody has signed on them yet: a time, a grant, and before the end of a hidden game its hidden parts.
"""
