"""One verb a file, plain functions: each opens one transaction and answers only after its commit."""
