-- What is kept of opens and clicks: nothing, only how many, or who. docs/decisions/privacy-modes.md says what each means.
alter table newsletter
  add column click_privacy text not null default 'person' check (click_privacy in ('off', 'counted', 'person')),
  add column open_privacy text not null default 'person' check (open_privacy in ('off', 'counted', 'person'));

-- How often the picture of a publication was loaded that is the same for everybody.
create table open_count (
  newsletter_id text not null,
  publication_id text not null,
  opened integer not null default 0,
  primary key (newsletter_id, publication_id),
  foreign key (newsletter_id, publication_id) references publication (newsletter_id, id) on delete cascade
);

create or replace view publication_count as
select s.newsletter_id, s.publication_id, sum(c.intended)::integer as intended, sum(c.queued)::integer as queued,
  sum(c.claimed)::integer as claimed, sum(c.accepted)::integer as accepted, sum(c.deferred)::integer as deferred,
  sum(c.failed)::integer as failed, sum(c.suppressed)::integer as suppressed, sum(c.uncertain)::integer as uncertain,
  sum(c.opened)::integer + coalesce((select o.opened from open_count o
    where o.newsletter_id = s.newsletter_id and o.publication_id = s.publication_id), 0) as opened
from sending s join sending_count c on c.newsletter_id = s.newsletter_id and c.sending_id = s.id
group by s.newsletter_id, s.publication_id;
