-- Qualified simplified invoices: the amount by tax rate, as JSON. Checkouts and refunds of earlier releases have none.
ALTER TABLE checkouts ADD COLUMN taxes TEXT;
ALTER TABLE refunds ADD COLUMN taxes TEXT;
-- Who issued the invoice of a payment, as JSON: written with the payment and never again, so that no setting changes it.
ALTER TABLE checkouts ADD COLUMN invoice_issuer TEXT;
