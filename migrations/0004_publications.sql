-- A piece written once: draft → scheduled → sending → sent, with paused and cancelled on the way.

create table publication (
  newsletter_id text not null references newsletter (id) on delete cascade,
  id text not null,
  number integer,
  slug text,
  title text not null default '',
  subtitle text not null default '',
  -- The mail's subject where it should differ from the title.
  subject text not null default '',
  language text not null check (language in ('en', 'fr')),
  content jsonb not null,
  -- The words of title, subtitle and content, for the search of the list.
  words text not null default '',
  cover_media_id text,
  channel text not null default 'everywhere' check (channel in ('everywhere', 'web')),
  status text not null default 'draft'
    check (status in ('draft', 'scheduled', 'sending', 'paused', 'sent', 'cancelled')),
  -- Raised by each save; a save names the one it stands on, so no edit is lost unseen.
  revision integer not null default 1,
  author_id text references "user" (id) on delete set null,
  created_at timestamptz not null default now(),
  edited_at timestamptz not null default now(),
  scheduled_at timestamptz,
  -- Start and end of sending; published_at is when it appeared on the web.
  started_at timestamptz,
  finished_at timestamptz,
  published_at timestamptz,
  -- Why sending stopped by itself, as a code of the error table.
  stopped_by text,
  primary key (newsletter_id, id)
);
create unique index publication_id on publication (id);
create unique index publication_slug on publication (newsletter_id, slug);
create unique index publication_number on publication (newsletter_id, number);
create index publication_status on publication (newsletter_id, status, edited_at desc);

create table publication_revision (
  newsletter_id text not null,
  publication_id text not null,
  revision integer not null,
  title text not null,
  subtitle text not null,
  content jsonb not null,
  saved_by text references "user" (id) on delete set null,
  saved_at timestamptz not null default now(),
  primary key (newsletter_id, publication_id, revision),
  foreign key (newsletter_id, publication_id) references publication (newsletter_id, id) on delete cascade
);

create table short_link (
  newsletter_id text not null references newsletter (id) on delete cascade,
  id text not null,
  target text not null,
  publication_id text,
  -- The place of the link in its publication, from 0, in reading order.
  position integer,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  primary key (newsletter_id, id)
);
create unique index short_link_id on short_link (id);
create unique index short_link_of_publication on short_link (newsletter_id, publication_id, target)
  where publication_id is not null;

create function short_link_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('short_link', old.id);
  return null;
end $$;
create trigger short_link_changed after update or delete on short_link
  for each row execute function short_link_changed();

-- Every request for a short link; `excluded_by` names the published rule that says it was not a person, or is null.
create table click (
  newsletter_id text not null,
  id bigint generated always as identity,
  short_link_id text not null,
  publication_id text,
  subscriber_id uuid,
  at timestamptz not null,
  excluded_by text,
  device text not null,
  primary key (newsletter_id, id)
);
create index click_link on click (newsletter_id, short_link_id);
create index click_publication on click (newsletter_id, publication_id) where publication_id is not null;

-- One publication to one subscriber.
create table delivery (
  newsletter_id text not null,
  publication_id text not null,
  subscriber_id uuid not null,
  email text not null,
  state text not null default 'queued'
    check (state in ('queued', 'claimed', 'accepted', 'deferred', 'failed', 'suppressed', 'uncertain')),
  attempts integer not null default 0,
  -- When it may be tried (again); a claim moves it to the end of the lease.
  due_at timestamptz not null default now(),
  claimed_by text,
  -- The relay's own words, with its code.
  answer text,
  changed_at timestamptz not null default now(),
  -- The first time the pixel was fetched: an estimate, since mail programs fetch images by themselves.
  opened_at timestamptz,
  primary key (newsletter_id, publication_id, subscriber_id),
  foreign key (newsletter_id, publication_id) references publication (newsletter_id, id) on delete cascade
) with (fillfactor = 80);
create index delivery_due on delivery (newsletter_id, publication_id, due_at) where state in ('queued', 'deferred', 'claimed');

-- The sums of a publication's deliveries. The trigger keeps them, the check makes sure that they always add up.
create table delivery_count (
  newsletter_id text not null,
  publication_id text not null,
  intended integer not null default 0,
  queued integer not null default 0,
  claimed integer not null default 0,
  accepted integer not null default 0,
  deferred integer not null default 0,
  failed integer not null default 0,
  suppressed integer not null default 0,
  uncertain integer not null default 0,
  primary key (newsletter_id, publication_id),
  foreign key (newsletter_id, publication_id) references publication (newsletter_id, id) on delete cascade,
  check (intended = queued + claimed + accepted + deferred + failed + suppressed + uncertain),
  check (least(queued, claimed, accepted, deferred, failed, suppressed, uncertain) >= 0)
);

create function count_deliveries() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into delivery_count as c
      (newsletter_id, publication_id, intended, queued, claimed, accepted, deferred, failed, suppressed, uncertain)
      select newsletter_id, publication_id, count(*),
        count(*) filter (where state = 'queued'), count(*) filter (where state = 'claimed'),
        count(*) filter (where state = 'accepted'), count(*) filter (where state = 'deferred'),
        count(*) filter (where state = 'failed'), count(*) filter (where state = 'suppressed'),
        count(*) filter (where state = 'uncertain')
      from after_rows group by 1, 2 order by 1, 2
      on conflict (newsletter_id, publication_id) do update set
        intended = c.intended + excluded.intended, queued = c.queued + excluded.queued,
        claimed = c.claimed + excluded.claimed, accepted = c.accepted + excluded.accepted,
        deferred = c.deferred + excluded.deferred, failed = c.failed + excluded.failed,
        suppressed = c.suppressed + excluded.suppressed, uncertain = c.uncertain + excluded.uncertain;
    perform notify_live(newsletter_id, 'deliveries') from after_rows group by newsletter_id;
  else
    update delivery_count c set
      queued = c.queued + d.queued, claimed = c.claimed + d.claimed, accepted = c.accepted + d.accepted,
      deferred = c.deferred + d.deferred, failed = c.failed + d.failed, suppressed = c.suppressed + d.suppressed,
      uncertain = c.uncertain + d.uncertain
    from (
      select newsletter_id, publication_id,
        sum(n) filter (where state = 'queued') as queued, sum(n) filter (where state = 'claimed') as claimed,
        sum(n) filter (where state = 'accepted') as accepted, sum(n) filter (where state = 'deferred') as deferred,
        sum(n) filter (where state = 'failed') as failed, sum(n) filter (where state = 'suppressed') as suppressed,
        sum(n) filter (where state = 'uncertain') as uncertain
      from (
        select newsletter_id, publication_id, s.state, coalesce(t.n, 0) as n
        from (select distinct newsletter_id, publication_id from after_rows) p
        cross join (values ('queued'), ('claimed'), ('accepted'), ('deferred'), ('failed'), ('suppressed'), ('uncertain')) s (state)
        left join (
          select newsletter_id, publication_id, state, sum(n)::integer as n from (
            select newsletter_id, publication_id, state, 1 as n from after_rows
            union all select newsletter_id, publication_id, state, -1 from before_rows
          ) both_sides group by 1, 2, 3
        ) t using (newsletter_id, publication_id, state)
      ) moved group by 1, 2
    ) d
    where c.newsletter_id = d.newsletter_id and c.publication_id = d.publication_id
      and (d.queued, d.claimed, d.accepted, d.deferred, d.failed, d.suppressed, d.uncertain) <> (0, 0, 0, 0, 0, 0, 0);
    if found then
      perform notify_live(newsletter_id, 'deliveries') from after_rows group by newsletter_id;
    end if;
  end if;
  return null;
end $$;
create trigger count_inserted after insert on delivery referencing new table as after_rows
  for each statement execute function count_deliveries();
create trigger count_updated after update on delivery referencing old table as before_rows new table as after_rows
  for each statement execute function count_deliveries();

create function publication_changed() returns trigger language plpgsql as $$
begin
  perform notify_live(new.newsletter_id, 'publications');
  return null;
end $$;
create trigger publication_changed after insert or update of status, title on publication
  for each row execute function publication_changed();
