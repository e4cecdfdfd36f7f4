-- The page of a publication lists its links, which are made a moment after its sending began.
create function links_made() returns trigger language plpgsql as $$
begin
  perform notify_live(newsletter_id, 'clicks') from after_rows group by newsletter_id;
  return null;
end $$;
create trigger links_made after insert on short_link referencing new table as after_rows
  for each statement execute function links_made();
