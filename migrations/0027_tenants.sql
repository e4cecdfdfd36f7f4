-- What belongs to a newsletter follows the people who run it.

-- An API key ends with its maker's membership: when they leave, are removed, or delete their account. Keys whose maker is gone
-- already are revoked.
delete from api_key k where not exists (
  select from member m where m.newsletter_id = k.newsletter_id and m.user_id = k.created_by);
alter table api_key
  alter column created_by set not null,
  drop constraint api_key_created_by_fkey,
  add constraint api_key_maker foreign key (newsletter_id, created_by) references member (newsletter_id, user_id) on delete cascade,
  -- Where it was last used from: an IPv4 /24 or an IPv6 /48.
  add column last_network text;
create index api_key_maker on api_key (created_by);

-- A newsletter that nobody owns any more is closed, however its last owner went.
create function close_ownerless() returns trigger language plpgsql as $$
begin
  update newsletter n set deleted_at = now(), version = version + 1
  where n.id in (select newsletter_id from before_rows where role = 'owner') and n.deleted_at is null
    and not exists (select from member m where m.newsletter_id = n.id and m.role = 'owner');
  return null;
end $$;
create trigger close_ownerless_removed after delete on member referencing old table as before_rows
  for each statement execute function close_ownerless();
create trigger close_ownerless_changed after update on member referencing old table as before_rows
  for each statement execute function close_ownerless();
update newsletter n set deleted_at = now(), version = version + 1
where deleted_at is null and not exists (select from member m where m.newsletter_id = n.id and m.role = 'owner');

-- Addresses that mail may be sent in the name of, proven by a code that was mailed there. An owner's own proven address and one
-- in a domain with a record of the newsletter need no row.
create table sender_proof (
  newsletter_id text not null references newsletter (id) on delete cascade,
  -- Normalised.
  address text not null,
  asked_at timestamptz not null default now(),
  -- SHA-256 of the code that is open.
  code_hash bytea,
  attempts smallint not null default 0,
  proved_at timestamptz,
  primary key (newsletter_id, address)
);
create index sender_proof_address on sender_proof (address);

-- Addresses that mail was sent from before keep working.
insert into sender_proof (newsletter_id, address, proved_at)
select distinct n.id, lower(used.address), now()
from newsletter n cross join lateral unnest(array[n.sender_address, n.reply_to]) as used (address)
where used.address is not null and exists (
  select from delivery_count c where c.newsletter_id = n.id and c.accepted > 0);
