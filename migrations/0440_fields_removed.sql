-- That a field or its answers are removed for all is no change of each person who had an answer: an import that brought them can still be taken back.
create or replace function note_subscriber_change() returns trigger language plpgsql as $$
begin
  if current_setting('tirage.field_removed', true) is distinct from 'yes' then
    new.changed_at := now();
  end if;
  return new;
end $$;
