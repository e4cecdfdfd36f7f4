-- The audit holds every act that could be disputed, not only lifted suppressions. Which acts there are is said in
-- server/audit-acts.ts.
alter table audit drop constraint audit_act_check,
  add constraint audit_act_check check (act ~ '^[a-z_]{1,40}$'),
  alter column reason set default '',
  alter column detail set default '{}',
  -- Written before the act as `begun`, and completed after it: nothing happens without a line.
  add column outcome text not null default 'done' check (outcome in ('begun', 'done', 'refused', 'failed')),
  -- The network it came from, as server/http/limits.ts shortens it.
  add column network text check (length(network) <= 60),
  add column api_key_id text,
  -- The person that the act was about, such as a member who was removed.
  add column about_user_id text references "user" (id) on delete set null;
create index audit_about on audit (about_user_id) where about_user_id is not null;

-- For how long a newsletter keeps its audit, in days. Null: for ever.
alter table newsletter add column audit_days integer default 1095 check (audit_days in (90, 365, 1095));

-- What happened at the door of an account: signing in, and what protects it.
create table account_event (
  id uuid primary key,
  user_id text not null references "user" (id) on delete cascade,
  at timestamptz not null default now(),
  act text not null check (act ~ '^[a-z_]{1,40}$'),
  outcome text not null default 'done' check (outcome in ('done', 'refused')),
  -- Such as `password`, `link`, `passkey`, or the name of a provider.
  method text check (length(method) <= 60),
  network text check (length(network) <= 60),
  -- The browser's own description of itself.
  device text check (length(device) <= 200)
);
create index account_event_user on account_event (user_id, id);
