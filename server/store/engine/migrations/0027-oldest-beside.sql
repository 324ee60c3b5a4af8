-- oldest beside: 1.51.0
-- The oldest release whose servers and workers may run while and after a migration is applied: README.md in this folder.
ALTER TABLE migrations ADD COLUMN oldest_beside TEXT NOT NULL DEFAULT '1.51.0';
