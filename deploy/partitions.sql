-- Divides the entries of all games among 16 partitions, by game. Run it once on PostgreSQL, as the owner of the tables,
-- while all processes are stopped: psql --single-transaction --set ON_ERROR_STOP=1 --file deploy/partitions.sql
-- Afterwards run `sealedmove migrate --grant ROLE` again if the server runs under a role of its own.
ALTER TABLE entry RENAME TO entry_whole;
ALTER TABLE entry_whole RENAME CONSTRAINT pk_entry TO pk_entry_whole;
ALTER TABLE entry_whole RENAME CONSTRAINT uq_entry_game_id TO uq_entry_whole;
CREATE TABLE entry (
    LIKE entry_whole,
    CONSTRAINT pk_entry PRIMARY KEY (game_id, seq),
    CONSTRAINT uq_entry_game_id UNIQUE (game_id, jws_sha256),
    CONSTRAINT fk_entry_game_id_game FOREIGN KEY (game_id) REFERENCES game (id)
) PARTITION BY HASH (game_id);
DO $$ BEGIN
    FOR number IN 0..15 LOOP
        EXECUTE format('CREATE TABLE entry_%s PARTITION OF entry FOR VALUES WITH (MODULUS 16, REMAINDER %s)', number, number);
    END LOOP;
END $$;
INSERT INTO entry SELECT * FROM entry_whole;
DROP TABLE entry_whole;
CREATE TRIGGER entry_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON entry
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_append_only();
DO $$ BEGIN
    FOR number IN 0..15 LOOP
        EXECUTE format('CREATE TRIGGER entry_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON entry_%s '
            'FOR EACH STATEMENT EXECUTE FUNCTION refuse_append_only()', number);
    END LOOP;
END $$;
