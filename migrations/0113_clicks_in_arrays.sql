-- Where 0098 was applied as it was first written, clicks that wait are rows of JSON: they become rows of arrays, as they are where it was applied later.
do $$
begin
  if not exists (select from pg_attribute where attrelid = 'click_waiting'::regclass and attname = 'clicks' and not attisdropped) then
    return;
  end if;
  create temporary table waited on commit drop as select row_number() over () as batch, clicks from click_waiting;
  drop table click_waiting;
  create table click_waiting (
    newsletter_id text[] not null,
    short_link_id text[] not null,
    publication_id text[],
    subscriber_id uuid[],
    at timestamptz[] not null,
    excluded_by text[],
    device text[] not null,
    agent_id integer[],
    signs smallint[],
    referrer text[],
    country text[],
    rules smallint[] not null
  ) with (toast_tuple_target = 8160, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
  insert into click_waiting
  select array_agg(newsletter_id), array_agg(short_link_id), array_agg(publication_id), array_agg(subscriber_id), array_agg(at),
    array_agg(excluded_by), array_agg(device), array_agg(agent_id), array_agg(signs), array_agg(referrer), array_agg(country), array_agg(rules)
  from waited, json_to_recordset(clicks::json) as c (newsletter_id text, short_link_id text, publication_id text, subscriber_id uuid,
    at timestamptz, excluded_by text, device text, agent_id integer, signs smallint, referrer text, country text, rules smallint)
  group by batch;
end $$;
