-- What came back after a relay had accepted a copy: bounces and complaints, by mail or by a provider's webhook, in one
-- stream. A delivery stays `accepted`: its states say what relays answered, so their sums hold; this says what followed.

create table feedback (
  newsletter_id text not null,
  id uuid not null,
  at timestamptz not null,
  publication_id text not null,
  -- Of a delivery; the subscriber may have been erased since.
  subscriber_id uuid not null,
  kind text not null check (kind in ('hard', 'soft', 'complaint')),
  -- Who told us: a bounce message (RFC 3464), a complaint message (RFC 5965), or a provider.
  source text not null check (source in ('dsn', 'arf', 'ses', 'postmark', 'mailgun', 'resend')),
  -- RFC 3463, such as 5.1.1.
  status text,
  -- The other server's own words.
  words text not null default '' check (length(words) <= 500),
  -- Whether it ended the subscription.
  suppressed boolean not null default false,
  primary key (newsletter_id, id),
  foreign key (newsletter_id, publication_id) references publication (newsletter_id, id) on delete cascade
);
-- The same thing about the same copy counts once, however often and under whatever name it is reported.
create unique index feedback_once on feedback (newsletter_id, publication_id, subscriber_id, kind, source);
create index feedback_subscriber on feedback (newsletter_id, subscriber_id, at);

create function feedback_came() returns trigger language plpgsql as $$
begin
  perform notify_live(newsletter_id, 'deliveries') from after_rows group by newsletter_id;
  return null;
end $$;
create trigger feedback_came after insert on feedback referencing new table as after_rows
  for each statement execute function feedback_came();

-- So many soft bounces, of as many publications within 90 days, count as a hard one.
alter table newsletter add column soft_bounce_limit integer not null default 5
  check (soft_bounce_limit between 1 and 50);
