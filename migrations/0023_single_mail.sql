-- The confirmation mails that wait to be sent: one row for each subscriber who is to be asked, without address or text. A set of
-- them is claimed at once. Before, each was two jobs, the second with the whole mail.

create table confirmation_mail (
  newsletter_id text not null,
  subscriber_id uuid not null,
  queued_at timestamptz not null default now(),
  -- It is not sent before: later than `queued_at` after a refusal for now.
  due_at timestamptz not null default now(),
  attempts smallint not null default 0,
  -- A worker has it until then. Not in an index, so that a claim rewrites no index entry.
  claimed_until timestamptz,
  primary key (newsletter_id, subscriber_id),
  foreign key (newsletter_id, subscriber_id) references subscriber (newsletter_id, id) on delete cascade
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
create index confirmation_mail_due on confirmation_mail (newsletter_id, due_at);

-- Requests that wait as jobs of the last release. A new database has no queue yet.
do $$
begin
  if to_regclass('graphile_worker._private_jobs') is not null then
    insert into confirmation_mail (newsletter_id, subscriber_id, queued_at, due_at)
    select s.newsletter_id, s.id, min(j.created_at), now()
    from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
    join subscriber s on s.newsletter_id = j.payload ->> 'newsletterId' and s.id::text = j.payload ->> 'subscriberId'
    where t.identifier = 'ask_confirmation' and j.attempts < j.max_attempts
    group by s.newsletter_id, s.id;
    delete from graphile_worker._private_jobs j using graphile_worker._private_tasks t
    where t.id = j.task_id and t.identifier = 'ask_confirmation';
  end if;
end $$;

-- Keys without a newsletter sign the instance's own mail: sign-in links, invitations.
alter table dkim_key drop constraint dkim_key_pkey, alter column newsletter_id drop not null,
  add primary key (id), drop constraint dkim_key_newsletter_id_domain_selector_key,
  add unique nulls not distinct (newsletter_id, domain, selector);
