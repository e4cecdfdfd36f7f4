-- An image that a sponsor sent beside words that could not be taken yet: kept until they are right, so that nobody has to choose it again.

alter table booking
  add column held_image text,
  add foreign key (newsletter_id, held_image) references media (newsletter_id, id) on delete set null (held_image);
create index booking_held_image on booking (newsletter_id, held_image) where held_image is not null;
