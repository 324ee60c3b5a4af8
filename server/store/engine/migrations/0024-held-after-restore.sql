-- Closed to payment since a restore, by the time of the restore: this checkout may have been paid in the time that the backup
-- does not hold. A payment that is recorded meanwhile keeps the mark until its refunds are compared too.
ALTER TABLE checkouts ADD COLUMN held_since BIGINT;
-- What is compared with the acquirer again until its list covers that time.
CREATE INDEX checkouts_held ON checkouts (merchant_id, mode, id) WHERE held_since IS NOT NULL;
