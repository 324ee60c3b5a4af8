-- The account of a merchant at an acquirer, one for each mode. Credentials are sealed (AES-256-GCM) with a key derived from
-- SECRET_KEY, and bound to merchant, mode, kind and address: they open nowhere else.
CREATE TABLE acquirer_accounts (
  merchant_id TEXT NOT NULL REFERENCES merchants (id),
  mode TEXT NOT NULL CHECK (mode IN ('test', 'live')),
  kind TEXT NOT NULL CHECK (kind IN ('stripe', 'adyen')),
  -- Null: the acquirer's own address.
  api_base TEXT,
  credentials TEXT NOT NULL,
  -- Of the secret key that opens what is sealed here.
  secret_key_id TEXT NOT NULL,
  -- The merchant's id and token at the 3-D Secure server; the token is sealed.
  three_ds_merchant_id TEXT,
  three_ds_token TEXT,
  -- Later than ever before whenever the account is set.
  set_at BIGINT NOT NULL,
  -- When these credentials last passed the check; live keys work from then on.
  checked_at BIGINT,
  -- What the last check found, if it did not pass.
  check_problems TEXT,
  PRIMARY KEY (merchant_id, mode)
);
