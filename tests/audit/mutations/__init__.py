"""Structured mutations of good bundles: what somebody might change in one, repaired afterwards as far as he can.

    mutant = mutant_of(7, seed=1)           the same for ever: number, seed and bundles decide
    mutant.data, mutant.did, mutant.repair  the file, what was changed in it, how it was made to look whole again

Members, entries, acts, keys, clocks, notes and openings are changed, dropped, repeated, swapped and put in. Then one of

    nothing     is repaired: whoever changed it has no key
    noted       the server signs a new note
    chained     the server numbers and chains the entries again and signs a new note: it has no player's key
    conspired   the same, and every act is signed again for its new place by its own key: all players help

`may_pass` says why a mutant may hold or be open all the same, "" if it must not: nothing has changed; all have signed
another game; who had signed an act has signed another one; or only what the server says alone has changed, at the end
of the log, where nobody has signed upon it yet - a time, a grant, and before the end of a hidden game what nobody sees.
"""
