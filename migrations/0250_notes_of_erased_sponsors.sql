-- What was noted beside bookings and payments of sponsors whose person was erased goes as well, as it does from now on with them. Who asked by
-- themselves had an address; where it is gone, they were erased. A booking that was entered by hand without anybody to write to looks the same
-- as one whose person was erased: of these only what was noted beside a payment goes.
update payment p set note = '' from booking b
where b.newsletter_id = p.newsletter_id and b.id = p.booking_id and b.email is null and b.contact = '' and p.note <> '';
update booking b set note = '' where b.email is null and b.note <> '' and exists (
  select from booking_step s where s.newsletter_id = b.newsletter_id and s.booking_id = b.id and s.act = 'enter' and s.actor = 'sponsor');
