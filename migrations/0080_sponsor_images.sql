-- Images that sponsors upload on the page of their booking, without an account.

alter table media
  -- On the page of which booking it was uploaded; null for what members upload.
  add column booking_id uuid,
  add foreign key (newsletter_id, booking_id) references booking (newsletter_id, id) on delete set null (booking_id);
create index media_booking on media (newsletter_id, booking_id) where booking_id is not null;
