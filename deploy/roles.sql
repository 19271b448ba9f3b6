-- The second of the two roles of docs/operate.md, for the containers: `db` runs this once, when it makes its database.
\getenv password POSTGRES_RUN_PASSWORD
CREATE ROLE sealedmove_run LOGIN PASSWORD :'password';
