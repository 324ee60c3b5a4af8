-- Both are looked up by merchant too (a ticket now begins with its merchant's id). A unique index without the merchant would
-- forbid to distribute or partition its table by merchant.
DROP INDEX authentications_ticket;
CREATE UNIQUE INDEX authentications_by_ticket ON authentications (merchant_id, ticket);
DROP INDEX mail_addresses_by_token;
CREATE UNIQUE INDEX mail_addresses_by_token ON mail_addresses (merchant_id, token_hash) WHERE token_hash IS NOT NULL;
