-- What a merchant's server is told. Webhooks that stand in `outbox` were written by earlier releases and are never sent.
-- How many events a checkout has: raised under its lock, so that their sequence has no gap.
ALTER TABLE checkouts ADD COLUMN event_count BIGINT NOT NULL DEFAULT 0;

-- Written in the transaction of what it tells of, with the checkout as its merchant would have read it then.
CREATE TABLE events (
  merchant_id TEXT NOT NULL,
  id TEXT NOT NULL,
  mode TEXT NOT NULL CHECK (mode IN ('test', 'live')),
  type TEXT NOT NULL,
  -- Of a ping: the id of the event itself, and 0.
  checkout_id TEXT NOT NULL,
  sequence BIGINT NOT NULL,
  data TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  -- Null: nobody has looked yet which endpoints are to be told. Of a merchant's mode each is later than all before it, so
  -- that the list of events has an order into which nothing comes afterwards.
  fanned_out_at BIGINT,
  PRIMARY KEY (merchant_id, id)
);
CREATE UNIQUE INDEX events_sequence ON events (merchant_id, checkout_id, sequence);
-- Without pings: they tell of nothing, and no list shows them.
CREATE INDEX events_by_creation ON events (merchant_id, mode, created_at, id) WHERE sequence > 0;
CREATE UNIQUE INDEX events_listed ON events (merchant_id, mode, fanned_out_at) WHERE sequence > 0 AND fanned_out_at IS NOT NULL;
CREATE INDEX events_to_fan_out ON events (created_at, sequence, id) WHERE fanned_out_at IS NULL;

CREATE TABLE webhook_endpoints (
  merchant_id TEXT NOT NULL REFERENCES merchants (id),
  id TEXT NOT NULL,
  mode TEXT NOT NULL CHECK (mode IN ('test', 'live')),
  url TEXT NOT NULL,
  -- The types it is told of, as JSON; null: all.
  types TEXT,
  -- Of the secret, which is derived and stored nowhere. The one before signs too until `previous_until`.
  generation BIGINT NOT NULL,
  previous_until BIGINT,
  created_at BIGINT NOT NULL,
  -- Null: it is told of events.
  disabled_at BIGINT,
  disabled_why TEXT CHECK (disabled_why IN ('merchant', 'gone', 'failing')),
  -- Since when every try has failed; null: the last one did not.
  failing_since BIGINT,
  PRIMARY KEY (merchant_id, id)
);
CREATE INDEX webhook_endpoints_enabled ON webhook_endpoints (merchant_id, id, failing_since) WHERE disabled_at IS NULL;
CREATE INDEX webhook_endpoints_by_creation ON webhook_endpoints (merchant_id, mode, created_at, id);

-- One event on its way to one endpoint.
CREATE TABLE deliveries (
  merchant_id TEXT NOT NULL,
  endpoint_id TEXT NOT NULL,
  event_id TEXT NOT NULL,
  -- Of the event: what is due at the same moment is tried in the order in which it happened.
  sequence BIGINT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('pending', 'delivered', 'failed', 'dropped')),
  -- How many tries were made since it was last asked for.
  step BIGINT NOT NULL,
  -- Raised by whoever takes it up or asks for it anew: what an earlier one writes down changes the delivery no more.
  claim BIGINT NOT NULL,
  -- When it is tried next, or when the lease of whoever tries it ends. Null: never again.
  due_at BIGINT,
  created_at BIGINT NOT NULL,
  -- When it was delivered, failed or dropped; null: it is pending. 30 days later the row is deleted.
  ended_at BIGINT,
  PRIMARY KEY (merchant_id, endpoint_id, event_id),
  FOREIGN KEY (merchant_id, endpoint_id) REFERENCES webhook_endpoints (merchant_id, id)
);
CREATE INDEX deliveries_by_creation ON deliveries (merchant_id, endpoint_id, created_at, event_id);
-- By endpoint first: of each only the next one is looked at, however many of them wait.
CREATE INDEX deliveries_due ON deliveries (merchant_id, endpoint_id, due_at, sequence, event_id) WHERE due_at IS NOT NULL;
CREATE INDEX deliveries_ended ON deliveries (ended_at) WHERE ended_at IS NOT NULL;
-- Few: what an operator looks at and tries again.
CREATE INDEX deliveries_failed ON deliveries (ended_at) WHERE state = 'failed';

-- Kept for 30 days.
CREATE TABLE delivery_tries (
  merchant_id TEXT NOT NULL,
  endpoint_id TEXT NOT NULL,
  event_id TEXT NOT NULL,
  claim BIGINT NOT NULL,
  at BIGINT NOT NULL,
  took_ms BIGINT NOT NULL,
  -- Null: there was no answer, and `problem` says why.
  status BIGINT,
  problem TEXT,
  -- The first kilobyte of the answer.
  answer TEXT NOT NULL,
  PRIMARY KEY (merchant_id, endpoint_id, event_id, claim)
);
CREATE INDEX delivery_tries_at ON delivery_tries (at);

-- An endpoint has failed for a day, or was disabled: what a mail to the shop is made of. One for each spell of failure.
CREATE TABLE endpoint_notices (
  merchant_id TEXT NOT NULL,
  endpoint_id TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('failing', 'disabled')),
  failing_since BIGINT NOT NULL,
  -- Of the try that made it a notice, as in delivery_tries.
  status BIGINT,
  problem TEXT,
  at BIGINT NOT NULL,
  -- When the mail was written; null: not yet.
  told_at BIGINT,
  PRIMARY KEY (merchant_id, endpoint_id, kind, failing_since)
);
CREATE INDEX endpoint_notices_untold ON endpoint_notices (at) WHERE told_at IS NULL;
