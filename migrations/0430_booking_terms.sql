-- What a sponsor was sold stays theirs: a placement that is changed later takes no words, no image and no time from its bookings.
alter table booking
  add column max_words integer,
  add column takes_image boolean,
  -- How many days before it runs the words are due.
  add column lead_days integer;
update booking b set max_words = p.max_words, takes_image = p.takes_image, lead_days = p.lead_days
from placement p where p.newsletter_id = b.newsletter_id and p.id = b.placement_id;
alter table booking
  alter column max_words set not null,
  alter column takes_image set not null,
  alter column lead_days set not null;
