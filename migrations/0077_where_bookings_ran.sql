-- Where a booking ran, and the short link by which its clicks are counted.

alter table booking
  add column ran_at timestamptz,
  -- Null when it ran elsewhere, was noted by hand, or its publication was deleted.
  add column publication_id text,
  -- Nothing refers to the link, as in `click`: its figures stay.
  add column short_link_id text,
  add foreign key (newsletter_id, publication_id) references publication (newsletter_id, id) on delete set null (publication_id);
create index booking_publication on booking (newsletter_id, publication_id) where publication_id is not null;

update booking b set ran_at = (
  select max(s.at) from booking_step s where s.newsletter_id = b.newsletter_id and s.booking_id = b.id and s.act = 'run')
where state in ('ran', 'reported', 'refunded', 'made_good');
