-- What acquirers have told by their notifications, stored before a notification is answered: they tell some outcomes by no
-- other way. Only what is signed decides anything.
CREATE TABLE acquirer_notifications (
  merchant_id TEXT NOT NULL,
  mode TEXT NOT NULL CHECK (mode IN ('test', 'live')),
  -- The event, the acquirer's id of it, and a hash of all that is signed: a notification that is sent again has the same.
  id TEXT NOT NULL,
  -- As the acquirer names it, such as REFUND.
  event TEXT NOT NULL,
  success BIGINT NOT NULL CHECK (success IN (0, 1)),
  -- An order code or, of a refund, its first characters; null: the acquirer names no order of ours.
  order_code TEXT,
  refund_id TEXT,
  -- Null: not in yen.
  amount_yen BIGINT,
  -- The acquirer's id of the payment.
  original_reference TEXT,
  -- The acquirer's id of what the event is about: a capture, a refund, a dispute; of a report its file name.
  psp_reference TEXT NOT NULL,
  -- A short code.
  reason TEXT,
  -- Where a report can be fetched. Not signed: whoever fetches it checks the host.
  report_address TEXT,
  -- As the acquirer says, which is not signed.
  occurred_at BIGINT NOT NULL,
  received_at BIGINT NOT NULL,
  -- Null: something is still to be done about it.
  handled_at BIGINT,
  PRIMARY KEY (merchant_id, mode, id)
);
CREATE INDEX acquirer_notifications_of_payment ON acquirer_notifications (merchant_id, mode, original_reference)
  WHERE original_reference IS NOT NULL;
CREATE INDEX acquirer_notifications_of_reports ON acquirer_notifications (merchant_id, mode, occurred_at)
  WHERE event = 'REPORT_AVAILABLE';
CREATE INDEX acquirer_notifications_due ON acquirer_notifications (event, received_at) WHERE handled_at IS NULL;
