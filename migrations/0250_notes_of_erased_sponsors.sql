-- What was noted beside bookings and payments of sponsors whose person was erased goes as well, as it does from now on with them. Who asked by
-- themselves had an address; where it is gone, they were erased. A booking that was entered by hand without anybody to write to looks the same
-- as one whose person was erased, and its notes are the owner's only record: they stay.
create temporary table erased_booking on commit drop as
  select b.newsletter_id, b.id from booking b where b.email is null and exists (
    select from booking_step s where s.newsletter_id = b.newsletter_id and s.booking_id = b.id and s.act = 'enter' and s.actor = 'sponsor');
update payment p set note = '' from erased_booking b
where b.newsletter_id = p.newsletter_id and b.id = p.booking_id and p.note <> '';
update booking p set note = '' from erased_booking b
where b.newsletter_id = p.newsletter_id and b.id = p.id and p.note <> '';
