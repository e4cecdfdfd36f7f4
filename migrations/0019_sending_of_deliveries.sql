-- A foreign key asks for the same sending once for each delivery, a million times in one statement: half the time of planning.
-- These triggers make the same promise, and ask once for each statement and sending.

-- First of all: a worker of the last release may be recording answers, and must not deadlock with this.
lock table sending, delivery in access exclusive mode;

alter table delivery drop constraint delivery_newsletter_id_publication_id_sending_id_fkey;

create function check_sending_of_deliveries() returns trigger language plpgsql as $$
declare
  missing record;
begin
  -- The lock of a foreign key: the sending cannot be deleted before this transaction has ended.
  perform from sending s join (select distinct newsletter_id, publication_id, sending_id from after_rows) d
    on (s.newsletter_id, s.publication_id, s.id) = (d.newsletter_id, d.publication_id, d.sending_id)
    for key share of s;
  select distinct newsletter_id, publication_id, sending_id into missing from after_rows d
  where not exists (select from sending s
    where (s.newsletter_id, s.publication_id, s.id) = (d.newsletter_id, d.publication_id, d.sending_id))
  limit 1;
  if found then
    raise foreign_key_violation using message = format('publication %s has no sending %s', missing.publication_id,
      missing.sending_id), table = 'delivery';
  end if;
  return null;
end $$;
create trigger check_sending after insert on delivery referencing new table as after_rows
  for each statement execute function check_sending_of_deliveries();

create function keep_sending_of_delivery() returns trigger language plpgsql as $$
begin
  raise integrity_constraint_violation using message = 'a delivery stays in its sending', table = 'delivery';
end $$;
create trigger keep_sending before update of newsletter_id, publication_id, sending_id on delivery
  for each row when ((old.newsletter_id, old.publication_id, old.sending_id)
    is distinct from (new.newsletter_id, new.publication_id, new.sending_id))
  execute function keep_sending_of_delivery();

create function delete_deliveries_of_sending() returns trigger language plpgsql as $$
begin
  delete from delivery where newsletter_id = old.newsletter_id and publication_id = old.publication_id and sending_id = old.id;
  return null;
end $$;
create trigger delete_deliveries after delete on sending
  for each row execute function delete_deliveries_of_sending();
