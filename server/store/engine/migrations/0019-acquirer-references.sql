-- The acquirer's own reference of an order, stored before the call that can move money (decision 50). '': none was stored, so
-- nothing chargeable was ever sent. NULL: a row of an earlier release, whose order code was its reference.
ALTER TABLE attempts ADD COLUMN acquirer_reference TEXT;

-- Reconciliation looks for charges of a period without an entry in the ledger. Without it, it would read every attempt of a merchant.
CREATE INDEX attempts_charged ON attempts (merchant_id, mode, started_at) WHERE state = 'charged';
