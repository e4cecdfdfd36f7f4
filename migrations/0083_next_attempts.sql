-- Stripe may say when it tries again only after it has said that a payment failed.

alter table payment_failure
  -- Of the newest statement about the last attempt: which one says when the next is.
  add column stated_at timestamptz;
update payment_failure set stated_at = failed_at;
alter table payment_failure alter column stated_at set not null;
