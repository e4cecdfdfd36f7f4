-- A million people from a file, written with less work for each of them.

alter table import_row
  -- The program makes the ids: the function is much dearer.
  alter column subscriber_id drop default,
  -- Whoever has the address was a subscriber, suppressed or erased when the row was tried.
  add column here boolean not null default false;

-- Only the trigger on receipts notes that one waits, in the statement that writes it: a foreign key would look up each receipt again.
alter table unchained_receipt drop constraint unchained_receipt_newsletter_id_receipt_id_fkey;
create function stop_waiting() returns trigger language plpgsql as $$
begin
  delete from unchained_receipt u using before_rows b where u.newsletter_id = b.newsletter_id and u.receipt_id = b.id;
  return null;
end $$;
create trigger stop_waiting after delete on consent referencing old table as before_rows
  for each statement execute function stop_waiting();
