-- Which newsletter of another server somebody said to come from, until they confirm.
create table arrival (
  newsletter_id text not null,
  subscriber_id uuid not null,
  origin text not null check (length(origin) <= 200),
  from_id text not null check (length(from_id) <= 60),
  primary key (newsletter_id, subscriber_id),
  foreign key (newsletter_id, subscriber_id) references subscriber (newsletter_id, id) on delete cascade
);

-- How many confirmed who came from where. Nobody proves it: whoever makes a link can write anything in it.
create table arrival_count (
  newsletter_id text not null references newsletter (id) on delete cascade,
  -- Both empty: all that came after a newsletter had its most origins.
  origin text not null,
  from_id text not null,
  confirmed bigint not null default 0,
  last_at timestamptz not null,
  primary key (newsletter_id, origin, from_id)
);
