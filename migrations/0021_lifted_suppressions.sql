-- A way back from a suppression: where it came from, which others had the same answer, and who lifted it and why.

-- First of all, and in the order in which the last release takes them: it may be recording bounces, and must not deadlock
-- with this.
lock table suppression, event in access exclusive mode;

-- An answer of a server without what differs from subscriber to subscriber: addresses, ids and numbers become "…". SMTP codes
-- (RFC 5321 section 4.2) and enhanced status codes (RFC 3463) stay.
create function answer_pattern(words text) returns text immutable language sql as $$
  select left(regexp_replace(coalesce(string_agg(case
      when word ~ '^[\[(<#]*[245]\.\d{1,3}\.\d{1,3}[\])>:;,.]*$' then word
      when word ~ '^(\w+;)?[245]\d\d(-[245]\.\d{1,3}\.\d{1,3})?[:;,]?$' and (n = 1 or previous ~ '[:;]$') then word
      when word ~ '[@\d]' then '…' || coalesce(substring(word from '[:;,.]+$'), '')
      else word
    end, ' ' order by n), ''), '…[:;,.]?( …[:;,.]?)+', '…', 'g'), 300)
  from (
    select word, n, lag(word) over (order by n) as previous
    from regexp_split_to_table(btrim(words), '\s+') with ordinality w (word, n)
  ) each
$$;

alter table suppression
  -- Whose mail was answered. Null where nobody knows any more, or where no mail was.
  add column publication_id text,
  add column answer text not null generated always as (answer_pattern(detail)) stored;

-- The event of a suppression is written in the same transaction, so both have the same time.
update suppression x set publication_id = e.publication_id
from subscriber s join event e on e.newsletter_id = s.newsletter_id and e.subscriber_id = s.id
where s.newsletter_id = x.newsletter_id and s.email_normalised = x.email_normalised
  and e.kind = x.reason and e.at = x.at and e.publication_id is not null;

alter table event drop constraint event_kind_check,
  add constraint event_kind_check check
    (kind in ('asked', 'confirmed', 'unsubscribed', 'returned', 'opened', 'bounced', 'complained', 'restored'));

-- Who did what to a newsletter, and why.
create table audit (
  newsletter_id text not null references newsletter (id) on delete cascade,
  id uuid not null,
  at timestamptz not null default now(),
  act text not null check (act in ('suppressions_lifted')),
  -- `operator`: by the command line. `subscriber`: by a confirmation of their own.
  actor text not null check (actor in ('member', 'api_key', 'operator', 'system', 'subscriber')),
  user_id text references "user" (id) on delete set null,
  reason text not null check (length(reason) <= 500),
  detail jsonb not null,
  primary key (newsletter_id, id)
);
create index audit_user on audit (user_id) where user_id is not null;

-- Suppressions that were lifted, for the timeline of each subscriber. Erasing a subscriber deletes theirs.
create table lifted_suppression (
  newsletter_id text not null,
  audit_id uuid not null,
  subscriber_id uuid not null,
  reason text not null check (reason in ('bounced', 'complained', 'by_hand')),
  detail text not null,
  publication_id text,
  suppressed_at timestamptz not null,
  lifted_at timestamptz not null,
  primary key (newsletter_id, audit_id, subscriber_id),
  foreign key (newsletter_id, audit_id) references audit (newsletter_id, id) on delete cascade
);
create index lifted_suppression_subscriber on lifted_suppression (newsletter_id, subscriber_id);
