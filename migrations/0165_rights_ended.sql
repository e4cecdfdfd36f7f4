-- Streams of live events stay open for hours. Every process that has some hears when rights end, and asks whether they may stay.
create function rights_ended() returns trigger language plpgsql as $$
begin
  perform pg_notify('rights_ended', case when tg_table_name = 'api_key' then to_jsonb(old) ->> 'id' else to_jsonb(old) ->> 'user_id' end);
  return null;
end $$;
create trigger rights_ended after delete on member for each row execute function rights_ended();
create trigger rights_ended after delete on session for each row execute function rights_ended();
create trigger rights_ended after delete on api_key for each row execute function rights_ended();
