-- oldest beside: 1.51.0
-- People of the console: who they are, which shops they belong to, how they sign in, and what they have changed.

CREATE TABLE people (
  id TEXT NOT NULL PRIMARY KEY,
  -- In lower case: one person for one address.
  email TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  locale TEXT NOT NULL,
  -- 1: an operator of the installation.
  is_operator BIGINT NOT NULL DEFAULT 0,
  created_at BIGINT NOT NULL
);

CREATE INDEX people_operators ON people (id) WHERE is_operator = 1;

CREATE TABLE memberships (
  merchant_id TEXT NOT NULL REFERENCES merchants (id),
  person_id TEXT NOT NULL REFERENCES people (id),
  role TEXT NOT NULL CHECK (role IN ('owner', 'staff', 'viewer')),
  created_at BIGINT NOT NULL,
  PRIMARY KEY (merchant_id, person_id)
);
CREATE INDEX memberships_of_person ON memberships (person_id);

CREATE TABLE passkeys (
  -- The credential id, in base64url.
  id TEXT NOT NULL PRIMARY KEY,
  person_id TEXT NOT NULL REFERENCES people (id),
  public_key TEXT NOT NULL,
  -- As the authenticator told it last. Stored, not trusted: passkeys that are synchronised have none.
  counter BIGINT NOT NULL,
  transports TEXT NOT NULL,
  name TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  last_used_at BIGINT,
  -- From then on it confirms refunds, keys and people: its creation, or a day later where it was enrolled after a recovery.
  confirms_from BIGINT NOT NULL
);
CREATE INDEX passkeys_of_person ON passkeys (person_id);

-- What an authenticator signs: once, within five minutes, for one purpose.
CREATE TABLE passkey_challenges (
  hash TEXT NOT NULL PRIMARY KEY,
  purpose TEXT NOT NULL CHECK (purpose IN ('sign_in', 'enrol', 'confirm')),
  -- Null: nobody has signed in yet.
  session_hash TEXT,
  expires_at BIGINT NOT NULL
);
CREATE INDEX passkey_challenges_expiry ON passkey_challenges (expires_at);

-- An ended session has no row.
CREATE TABLE person_sessions (
  hash TEXT NOT NULL PRIMARY KEY,
  person_id TEXT NOT NULL REFERENCES people (id),
  created_at BIGINT NOT NULL,
  -- Up to a minute old.
  last_used_at BIGINT NOT NULL,
  -- When a passkey was last asked for in this session; null: it began by a link.
  passkey_at BIGINT,
  passkey_id TEXT,
  -- 1: it began by a link although the person had passkeys.
  is_recovery BIGINT NOT NULL DEFAULT 0,
  -- A browser's name and system for its owner to recognise, such as "Chrome, Android".
  browser TEXT NOT NULL
);
CREATE INDEX person_sessions_of_person ON person_sessions (person_id);
CREATE INDEX person_sessions_created ON person_sessions (created_at);

-- Links by mail, by hand, and of the first start: each is consumed once, by a POST.
CREATE TABLE person_links (
  hash TEXT NOT NULL PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('setup', 'sign_in', 'invitation')),
  email TEXT NOT NULL,
  -- The browser that asked for it; null: any browser may use it.
  browser_hash TEXT,
  -- Of a setup and an invitation: to which shop and as what; null: as an operator of the installation.
  merchant_id TEXT REFERENCES merchants (id),
  role TEXT CHECK (role IN ('owner', 'staff', 'viewer')),
  -- The person whose invitation it is; null: the operator's.
  invited_by TEXT,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  used_at BIGINT
);
CREATE INDEX person_links_of_email ON person_links (email, created_at);
CREATE INDEX person_links_of_merchant ON person_links (merchant_id, created_at) WHERE merchant_id IS NOT NULL;
CREATE INDEX person_links_expiry ON person_links (expires_at);

-- Mails to people that are to be sent; one that has ended has no row. A table of their own: a person may belong to no shop or to
-- many, and no token may stay behind.
CREATE TABLE person_mails (
  id TEXT NOT NULL PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('sign_in', 'invitation', 'recovery')),
  locale TEXT NOT NULL,
  recipient TEXT NOT NULL,
  -- With the token of its link.
  facts TEXT NOT NULL,
  -- Fences a claim against the next one.
  tries BIGINT NOT NULL,
  -- The next try; while it is being sent, the end of the lease; null: nobody has this address, and it is never sent.
  next_try_at BIGINT,
  created_at BIGINT NOT NULL,
  -- From then on it tells nothing that is still true.
  ends_at BIGINT NOT NULL
);
CREATE INDEX person_mails_due ON person_mails (next_try_at) WHERE next_try_at IS NOT NULL;
CREATE INDEX person_mails_to ON person_mails (recipient);
CREATE INDEX person_mails_ends ON person_mails (ends_at);

-- Append-only: what people have changed.
CREATE TABLE audit_lines (
  -- Empty: of the installation, or of a person who belongs to no shop.
  merchant_id TEXT NOT NULL,
  id TEXT NOT NULL,
  mode TEXT,
  at BIGINT NOT NULL,
  person_id TEXT NOT NULL,
  -- As the person was called then.
  person TEXT NOT NULL,
  action TEXT NOT NULL,
  -- What was changed: a checkout, a key, a person.
  subject TEXT NOT NULL,
  details TEXT NOT NULL,
  PRIMARY KEY (merchant_id, id)
);
CREATE INDEX audit_lines_of_merchant ON audit_lines (merchant_id, at, id);
