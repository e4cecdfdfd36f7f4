-- When clicks that wait came, in milliseconds since 1970: PostgreSQL reads a number in a tenth of the time of a date (docs/decisions/click-figures.md).
create function milliseconds_of(times timestamptz[]) returns bigint[] language sql immutable as $$
  select array_agg((extract(epoch from moment) * 1000)::bigint order by place) from unnest(times) with ordinality as t (moment, place)
$$;
alter table click_waiting alter column at type bigint[] using milliseconds_of(at);
drop function milliseconds_of;
