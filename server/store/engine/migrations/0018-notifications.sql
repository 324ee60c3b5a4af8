-- How many mails told a shop of its payments one by one, by the hour, and what is still to be summed up (decision 43). Kept
-- for three days.
CREATE TABLE notification_hours (
  merchant_id TEXT NOT NULL,
  mode TEXT NOT NULL CHECK (mode IN ('test', 'live')),
  -- When it began.
  hour BIGINT NOT NULL,
  topic TEXT NOT NULL,
  mails BIGINT NOT NULL,
  -- Events that were too many for a mail each; 0 once a mail has summed them up.
  held BIGINT NOT NULL,
  held_yen BIGINT NOT NULL,
  PRIMARY KEY (merchant_id, mode, hour, topic)
);
CREATE INDEX notification_hours_held ON notification_hours (hour) WHERE held > 0;
CREATE INDEX notification_hours_by_time ON notification_hours (hour);
