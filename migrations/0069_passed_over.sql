-- Who is in a segment when it gets a welcome, or when the conditions of one with a welcome change, has not joined it. They are listed here
-- at that moment, thousands in a row in the order of their ids, and written to `welcomed` a row at a time. Until then nobody is welcomed.
create table passed_over (
  newsletter_id text not null,
  segment_id integer not null,
  id bigint not null generated always as identity,
  -- Without a foreign key: whoever is gone when they are written is left out.
  subscriber_ids uuid[] not null,
  primary key (newsletter_id, segment_id, id),
  foreign key (newsletter_id, segment_id) references segment (newsletter_id, id) on delete cascade
);

-- Segments that were deleted and of which rows of `welcomed` are left. They are deleted in the order of the subscribers, thousands at a time.
create table forgotten_segment (
  newsletter_id text not null references newsletter (id) on delete cascade,
  segment_id integer not null,
  -- The last subscriber whose row is deleted.
  done_to uuid not null default '00000000-0000-0000-0000-000000000000',
  primary key (newsletter_id, segment_id)
);
