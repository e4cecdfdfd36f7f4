-- Links are kept in memory with what their newsletter keeps of clicks, so that a click under load needs no other table.

create function click_privacy_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('short_link', '*' || new.id);
  return null;
end $$;
create trigger click_privacy_changed after update of click_privacy on newsletter
  for each row when (old.click_privacy is distinct from new.click_privacy) execute function click_privacy_changed();
