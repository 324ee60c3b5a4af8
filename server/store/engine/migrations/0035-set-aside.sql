-- oldest beside: 1.51.0
-- What the worker or the acquirer's inbox could not read: set aside alone, so that it holds up nothing else, until an operator has
-- it tried again or drops it (decision 66).
CREATE TABLE set_aside (
  -- Empty: of no merchant, as a mail to a person.
  merchant_id TEXT NOT NULL,
  queue TEXT NOT NULL,
  -- The key of its row in the queue, the merchant left out, with spaces between its parts.
  id TEXT NOT NULL,
  why TEXT NOT NULL,
  -- JSON: what an acquirer has said, where that stands in no other table.
  said TEXT,
  at BIGINT NOT NULL,
  -- Null: an operator has not decided yet.
  dropped_at BIGINT,
  PRIMARY KEY (merchant_id, queue, id)
);
CREATE INDEX set_aside_undecided ON set_aside (at, merchant_id, queue, id) WHERE dropped_at IS NULL;

-- Amounts that no movement of yen has: until now whatever a notification said was stored. They move nothing any more.
INSERT INTO set_aside (merchant_id, queue, id, why, at)
  SELECT merchant_id, 'notifications', mode || ' ' || id, 'amount_yen is no amount of yen', received_at
  FROM acquirer_notifications WHERE amount_yen < 0 OR amount_yen > 99999999;
UPDATE acquirer_notifications SET amount_yen = NULL, handled_at = received_at, dispute_id = NULL
  WHERE amount_yen < 0 OR amount_yen > 99999999;
