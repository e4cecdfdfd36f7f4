-- Campaigns: named offers with a beneficiary and a period. What is particular to a kind is in a table of its own.

create table campaign (
  newsletter_id text not null references newsletter (id) on delete cascade,
  id text not null,
  kind text not null check (kind in ('opt-in', 'sponsorship', 'recommendation', 'house')),
  name text not null check (length(name) between 1 and 120),
  -- Raised with each change of what a reader sees.
  version integer not null default 1 check (version >= 1),
  -- Null: nobody said yet when it begins.
  starts_at timestamptz,
  -- Null: without an end.
  ends_at timestamptz,
  withdrawn_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (newsletter_id, id),
  check (ends_at > starts_at)
);
-- Public addresses name a campaign by its id alone.
create unique index campaign_id on campaign (id);
create index campaign_kind on campaign (newsletter_id, kind, created_at desc);

-- A question to readers, at `/optin/{id}`.
create table opt_in_campaign (
  newsletter_id text not null,
  id text not null,
  -- Who has something of a yes: this newsletter, another one of this server, or somebody outside.
  beneficiary text not null default 'newsletter' check (beneficiary in ('newsletter', 'other_newsletter', 'sponsor')),
  -- Of this newsletter: what whoever says yes gets.
  tag_id integer,
  to_newsletter_id text references newsletter (id) on delete set null,
  -- When the other newsletter agreed to get subscribers by this campaign.
  accepted_at timestamptz,
  sponsor_name text not null default '',
  sponsor_address text not null default '',
  sponsor_privacy text not null default '',
  -- So many yeses at most; null: as many as come.
  cap integer check (cap >= 1),
  -- Yeses that stand. Each is counted in the transaction that says it.
  taken integer not null default 0 check (taken >= 0),
  -- RRGGBB behind a #; null: that of the newsletter.
  accent text check (accent ~ '^#[0-9a-f]{6}$'),
  -- The short link that counts who comes without another one.
  short_link_id text not null,
  primary key (newsletter_id, id),
  foreign key (newsletter_id, id) references campaign (newsletter_id, id) on delete cascade,
  foreign key (newsletter_id, tag_id) references tag (newsletter_id, id) on delete set null (tag_id)
);
create index opt_in_campaign_to on opt_in_campaign (to_newsletter_id) where to_newsletter_id is not null;
create index opt_in_campaign_tag on opt_in_campaign (newsletter_id, tag_id) where tag_id is not null;

-- What readers saw in a version, for the receipts that name it.
create table campaign_words (
  newsletter_id text not null,
  campaign_id text not null,
  version integer not null,
  language language_code not null,
  question text not null,
  offer text not null,
  -- On the button.
  yes text not null,
  after_yes text not null,
  written_at timestamptz not null default now(),
  primary key (newsletter_id, campaign_id, version, language),
  foreign key (newsletter_id, campaign_id) references campaign (newsletter_id, id) on delete cascade
);

-- A yes that its person proved to be theirs.
create table opt_in (
  newsletter_id text not null,
  campaign_id text not null,
  id uuid not null,
  -- Null once they were erased: the yes still counts.
  subscriber_id uuid,
  -- Where they came from. Nothing refers to the link, as in `click`.
  short_link_id text not null,
  version integer not null,
  language language_code not null,
  confirmed_at timestamptz not null,
  undone_at timestamptz,
  -- Null when the beneficiary was not given it: a no there stays a no.
  passed_at timestamptz,
  -- What undoing takes back: that it subscribed them, and that it gave them the tag.
  subscribed boolean not null default false,
  tagged boolean not null default false,
  primary key (newsletter_id, campaign_id, id),
  foreign key (newsletter_id, campaign_id) references opt_in_campaign (newsletter_id, id) on delete cascade,
  foreign key (newsletter_id, subscriber_id) references subscriber (newsletter_id, id) on delete set null (subscriber_id)
);
create unique index opt_in_subscriber on opt_in (newsletter_id, subscriber_id, campaign_id) where subscriber_id is not null;

-- Addresses that were typed and that nobody confirmed yet, each as a keyed hash.
create table opt_in_request (
  newsletter_id text not null,
  campaign_id text not null,
  address bytea not null,
  short_link_id text not null,
  asked_at timestamptz not null,
  -- When the hash was replaced by chance, so that it is one of nobody and still counts.
  forgotten_at timestamptz,
  primary key (newsletter_id, campaign_id, address),
  foreign key (newsletter_id, campaign_id) references opt_in_campaign (newsletter_id, id) on delete cascade
);
create index opt_in_request_due on opt_in_request (asked_at) where forgotten_at is null;

-- Addresses at which a sponsor gets the list.
create table opt_in_list_link (
  newsletter_id text not null,
  campaign_id text not null,
  id integer not null generated always as identity,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  revoked_at timestamptz,
  primary key (newsletter_id, campaign_id, id),
  foreign key (newsletter_id, campaign_id) references opt_in_campaign (newsletter_id, id) on delete cascade
);

-- Links that lead to the page of a campaign, by its id.
create index short_link_campaign on short_link (newsletter_id, (substring(target from '/optin/([1-9A-HJ-NP-Za-km-z]{6,20})')))
  where target like '%/optin/%';
