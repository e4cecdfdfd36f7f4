-- What sponsors buy in a newsletter: placements, the days on which they can be had, and bookings of them.

create table placement (
  newsletter_id text not null references newsletter (id) on delete cascade,
  id integer not null generated always as identity,
  -- By language: {"en": {"name": …, "disclosure": …}, "fr": …}. The disclosure stands above what a sponsor says.
  words jsonb not null,
  -- Where in a publication it stands.
  place text not null check (place in ('top', 'middle', 'end')),
  max_words smallint not null check (max_words between 5 and 500),
  takes_image boolean not null default true,
  -- How many sponsors one publication has here.
  seats smallint not null default 1 check (seats between 1 and 6),
  -- What a sponsor says is due so many days before the publication.
  lead_days smallint not null default 5 check (lead_days between 0 and 60),
  -- By currency, in its smallest unit: {"eur": 41000}.
  prices jsonb not null default '{}',
  position smallint not null default 0,
  created_at timestamptz not null default now(),
  -- From then on it is not sold. What was booked stays.
  closed_at timestamptz,
  primary key (newsletter_id, id)
);

-- Days that do not follow from the weekdays of the newsletter.
create table sponsor_day (
  newsletter_id text not null references newsletter (id) on delete cascade,
  day date not null,
  -- A blocked day is sold to nobody; an added one is sold though it is none of the weekdays.
  kind text not null check (kind in ('added', 'blocked')),
  reason text not null default '',
  primary key (newsletter_id, day)
);

-- On which weekdays placements are sold: 1 is Monday, 7 is Sunday (ISO 8601).
alter table newsletter add column sponsor_weekdays smallint[] not null default '{}'
  check (sponsor_weekdays <@ '{1,2,3,4,5,6,7}'::smallint[] and cardinality(sponsor_weekdays) <= 7);

-- A sponsor's purchase of a slot: a placement on a day. `server/sponsorship/change.ts` is the only writer of `state`.
create table booking (
  newsletter_id text not null references newsletter (id) on delete cascade,
  id uuid not null,
  placement_id integer not null,
  day date not null,
  seat smallint not null check (seat between 1 and 6),
  state text not null check (state in ('requested', 'accepted', 'declined', 'expired', 'invoiced', 'paid', 'creative_in',
    'changes_asked', 'approved', 'ran', 'reported', 'cancelled', 'refunded', 'made_good')),
  sponsor text not null,
  -- The person at the sponsor, to whom mails go. They have no account, and their signed link is their key.
  contact text not null default '',
  email text,
  language language_code not null,
  -- What they wrote with their request.
  message text not null default '',
  -- A note of the newsletter's members, which no sponsor sees.
  note text not null default '',
  currency text not null check (currency ~ '^[a-z]{3}$'),
  -- In the smallest unit of the currency. Nothing, where it makes good what did not run.
  amount bigint not null check (amount between 0 and 99999999),
  -- Until when the slot is kept for a request that nobody answered, or for a sponsor who has not paid.
  held_until timestamptz,
  -- What the sponsor says: {"name", "text", "label", "target"}.
  creative jsonb,
  requested_at timestamptz not null,
  invoiced_at timestamptz,
  paid_at timestamptz,
  refunded_at timestamptz,
  -- The booking in whose stead this one runs for nothing.
  makes_good uuid,
  primary key (newsletter_id, id),
  foreign key (newsletter_id, placement_id) references placement (newsletter_id, id) on delete cascade,
  foreign key (newsletter_id, makes_good) references booking (newsletter_id, id) on delete set null (makes_good)
);
-- A slot is never sold twice, whoever asks or pays at the same moment.
create unique index booking_slot on booking (newsletter_id, placement_id, day, seat)
  where state in ('requested', 'accepted', 'invoiced', 'paid', 'creative_in', 'changes_asked', 'approved', 'ran', 'reported');
create index booking_day on booking (newsletter_id, day);
create index booking_held on booking (held_until) where state in ('requested', 'accepted');
create index booking_made_good on booking (newsletter_id, makes_good) where makes_good is not null;

-- Each change of a booking's state: who did what, when.
create table booking_step (
  newsletter_id text not null,
  booking_id uuid not null,
  id bigint not null generated always as identity,
  at timestamptz not null,
  act text not null,
  state text not null,
  actor text not null check (actor in ('member', 'sponsor', 'system')),
  -- What was said with it, such as why a request is declined.
  words text not null default '',
  primary key (newsletter_id, booking_id, id),
  foreign key (newsletter_id, booking_id) references booking (newsletter_id, id) on delete cascade
);
