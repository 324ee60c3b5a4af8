-- Disputes are told by notifications alone: all events of one have the acquirer's id of the dispute.
-- Null: the event is about no dispute, or says that it did not happen.
ALTER TABLE acquirer_notifications ADD COLUMN dispute_id TEXT;
-- Until when the shop can answer, as the acquirer says, which is not signed.
ALTER TABLE acquirer_notifications ADD COLUMN respond_by BIGINT;
UPDATE acquirer_notifications SET dispute_id = psp_reference
  WHERE success = 1 AND event IN ('REQUEST_FOR_INFORMATION', 'NOTIFICATION_OF_CHARGEBACK', 'CHARGEBACK',
    'CHARGEBACK_REVERSED', 'SECOND_CHARGEBACK', 'PREARBITRATION_OPEN', 'PREARBITRATION_WON', 'PREARBITRATION_LOST');
CREATE INDEX acquirer_notifications_of_dispute ON acquirer_notifications (merchant_id, mode, dispute_id, occurred_at)
  WHERE dispute_id IS NOT NULL;
