-- Newsletters that one recommends to those who have just subscribed. Each is a campaign of the kind 'recommendation'.

create table recommendation (
  newsletter_id text not null,
  id text not null,
  -- Null once the other newsletter was deleted for good.
  to_newsletter_id text references newsletter (id) on delete set null,
  position integer not null,
  -- What the other newsletter said of it, last. It decides where `recommended_by` is 'accepted'; a no decides everywhere.
  accepted_at timestamptz,
  declined_at timestamptz,
  primary key (newsletter_id, id),
  foreign key (newsletter_id, id) references campaign (newsletter_id, id) on delete cascade,
  check (accepted_at is null or declined_at is null)
);
create unique index recommendation_to on recommendation (to_newsletter_id, newsletter_id) where to_newsletter_id is not null;

-- Why, in a sentence. Receipts name the version that was read.
create table recommendation_words (
  newsletter_id text not null,
  campaign_id text not null,
  version integer not null,
  language language_code not null,
  reason text not null check (length(reason) between 1 and 200),
  primary key (newsletter_id, campaign_id, version, language),
  foreign key (newsletter_id, campaign_id) references recommendation (newsletter_id, id) on delete cascade
);

-- Who may recommend a newsletter. One without a row: those that it accepts.
create table recommendation_policy (
  newsletter_id text not null primary key references newsletter (id) on delete cascade,
  recommended_by text not null check (recommended_by in ('everybody', 'accepted', 'nobody'))
);

-- What came of a recommendation on a day (UTC), for both sides.
create table recommendation_count (
  newsletter_id text not null,
  campaign_id text not null,
  day date not null,
  -- The figures are the sums of all parts. Connections write different ones, so that they do not wait for one another.
  part smallint not null,
  shown bigint not null default 0,
  chosen bigint not null default 0,
  confirmed bigint not null default 0,
  -- Of those who confirmed on this day: whose fourteen days are over, and who was still there.
  due bigint not null default 0,
  stayed bigint not null default 0,
  primary key (newsletter_id, campaign_id, day, part),
  foreign key (newsletter_id, campaign_id) references recommendation (newsletter_id, id) on delete cascade
) with (fillfactor = 50);

-- Who came by a recommendation, of the recommended newsletter, until they are counted after fourteen days.
create table recommendation_yes (
  newsletter_id text not null references newsletter (id) on delete cascade,
  id uuid not null,
  -- Null once they were erased: they count as gone.
  subscriber_id uuid,
  from_newsletter_id text not null,
  campaign_id text not null,
  at timestamptz not null,
  primary key (newsletter_id, id),
  foreign key (newsletter_id, subscriber_id) references subscriber (newsletter_id, id) on delete set null (subscriber_id),
  foreign key (from_newsletter_id, campaign_id) references recommendation (newsletter_id, id) on delete cascade
);
create index recommendation_yes_due on recommendation_yes (at);
create index recommendation_yes_subscriber on recommendation_yes (newsletter_id, subscriber_id) where subscriber_id is not null;
create index recommendation_yes_from on recommendation_yes (from_newsletter_id, campaign_id);
