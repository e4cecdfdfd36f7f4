-- What was given back of a booking by hand, in parts or at once, with the step that notes it.

alter table booking_step add column amount bigint check (amount between 1 and 99999999);

-- Until now all of it was given back at once.
update booking_step s set amount = b.amount
from booking b
where b.newsletter_id = s.newsletter_id and b.id = s.booking_id and s.act = 'refund' and s.actor = 'member';

alter table booking_step add constraint booking_step_amount
  check ((amount is not null) = (act in ('refund', 'refund_part') and actor = 'member'));
