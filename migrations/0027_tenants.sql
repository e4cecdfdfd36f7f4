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
