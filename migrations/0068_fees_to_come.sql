-- Payments by card whose fee Stripe has not told yet. The comparison of the night brings it, so there are few.

create index payment_fee_to_come on payment (newsletter_id, at)
  where fee = 0 and kind = 'payment' and stripe_id is not null and amount > 0 and not test;
