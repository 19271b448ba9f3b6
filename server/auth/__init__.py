"""Who is asking: mailed links, API tokens, registered keys, and what each may do."""
