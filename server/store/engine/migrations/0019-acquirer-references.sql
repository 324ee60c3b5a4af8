-- The acquirer's own reference of an order, stored before the call that can move money (decision 50). '': none was stored, so
-- nothing chargeable was ever sent. NULL: a row of an earlier release, whose order code was its reference.
ALTER TABLE attempts ADD COLUMN acquirer_reference TEXT;
