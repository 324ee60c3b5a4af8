-- Ledger clustering, and room in the pages of checkouts: the cost of an operation must not grow with the number of rows
-- (decision 33).

-- SQLite finds a row of `ledger_lines` by its key and then by its row id, in two trees. Reconciliation reads along the key, and
-- each row then costs a search from the root. Clustered by the key, the rows are stored in that order.
-- only SQLite: CREATE TABLE ledger_lines_by_key (merchant_id TEXT NOT NULL, entry TEXT NOT NULL, account TEXT NOT NULL, checkout_id TEXT NOT NULL, amount_yen BIGINT NOT NULL, booked_at BIGINT NOT NULL, mode TEXT NOT NULL DEFAULT 'test' CHECK (mode IN ('test', 'live')), PRIMARY KEY (merchant_id, entry, account)) WITHOUT ROWID;
-- only SQLite: INSERT INTO ledger_lines_by_key (merchant_id, entry, account, checkout_id, amount_yen, booked_at, mode) SELECT merchant_id, entry, account, checkout_id, amount_yen, booked_at, mode FROM ledger_lines ORDER BY merchant_id, entry, account;
-- only SQLite: DROP TABLE ledger_lines;
-- only SQLite: ALTER TABLE ledger_lines_by_key RENAME TO ledger_lines;
-- only SQLite: CREATE INDEX ledger_lines_by_time ON ledger_lines (merchant_id, mode, account, booked_at, entry, amount_yen);

-- Every transition raises the version of its checkout. Where its page has room, PostgreSQL writes the new row beside the old
-- one; where it has none, the row moves, and every index gets an entry of it. Pages that are full now keep what they have.
-- only PostgreSQL: ALTER TABLE checkouts SET (fillfactor = 80);
