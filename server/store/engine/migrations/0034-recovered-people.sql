-- oldest beside: 1.51.0
-- Whether a person has recovered: then an earlier passkey may be of somebody else, who registered the address first. 1 of whoever
-- is here already, of whom nobody knows.

ALTER TABLE people ADD COLUMN has_recovered BIGINT NOT NULL DEFAULT 1;
