-- oldest beside: 1.51.0
-- Links to the console that are mailed: who asked for one, when its mail goes, and the token that was made when it went.

-- The network that asked for a link; null: nobody asked, or a release before this one stored it.
ALTER TABLE person_links ADD COLUMN network TEXT;
-- When the mail of an invitation goes; null: none does.
ALTER TABLE person_links ADD COLUMN mail_at BIGINT;
-- The hash of the token that was mailed last, beside the one in `hash`.
ALTER TABLE person_links ADD COLUMN mail_hash TEXT;
CREATE INDEX person_links_mailed ON person_links (mail_hash) WHERE mail_hash IS NOT NULL;
