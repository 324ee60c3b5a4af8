-- What the shopper agreed to by paying: the version of the notice. The time is the attempt's own.
ALTER TABLE attempts ADD COLUMN consent_version TEXT;

-- The 3-D Secure side of an attempt: how its server, its pages and its answer are known. No card data.
CREATE TABLE authentications (
  merchant_id TEXT NOT NULL,
  order_code TEXT NOT NULL,
  -- Names the attempt in the addresses of the bridge, so that an order code never enters one.
  ticket TEXT NOT NULL,
  page_origin TEXT NOT NULL,
  session TEXT NOT NULL,
  collect_url TEXT,
  watch_url TEXT,
  challenge_url TEXT,
  challenge_shown_at BIGINT,
  -- What the browser said of itself; emptied when the issuer has been asked.
  browser TEXT,
  collected TEXT,
  check_code TEXT,
  PRIMARY KEY (merchant_id, order_code),
  FOREIGN KEY (merchant_id, order_code) REFERENCES attempts (merchant_id, order_code)
);
CREATE UNIQUE INDEX authentications_ticket ON authentications (ticket);
