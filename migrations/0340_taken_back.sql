-- Whoever leaves by mistake and comes back, or is unsubscribed by a change of many that is taken back, is counted neither as left nor as joined.
create or replace function count_subscribers() returns trigger language plpgsql as $$
begin
  -- Only what enters or leaves `active` counts; asking to subscribe touches no shared row and stays parallel.
  if tg_op = 'INSERT' then
    insert into daily_count as d (newsletter_id, day, joined, departed)
      select a.newsletter_id, (x.at at time zone n.timezone)::date, count(*) filter (where x.joined), count(*) filter (where not x.joined)
      from after_rows a join newsletter n on n.id = a.newsletter_id
        cross join lateral (values (a.confirmed_at, true), (case when a.status <> 'active' then a.left_at end, false)) as x (at, joined)
      where a.confirmed_at is not null and x.at is not null and (a.status = 'active' or a.left_at < now()) group by 1, 2 order by 1, 2
      on conflict (newsletter_id, day) do update
        set joined = d.joined + excluded.joined, departed = d.departed + excluded.departed;
    insert into source_count as s (newsletter_id, day, source, joined)
      select a.newsletter_id, (a.confirmed_at at time zone n.timezone)::date, a.source, count(*)
      from after_rows a join newsletter n on n.id = a.newsletter_id
      where a.confirmed_at is not null and (a.status = 'active' or a.left_at < now()) group by 1, 2, 3 order by 1, 2, 3
      on conflict (newsletter_id, day, source) do update set joined = s.joined + excluded.joined;
    perform notify_live(newsletter_id, 'subscribers') from after_rows group by newsletter_id;
  elsif tg_op = 'UPDATE' then
    with moved as (
      select a.newsletter_id, a.source, a.status = 'active' as is_back, (now() at time zone n.timezone)::date as today,
        case when a.status = 'active' and b.status = 'unsubscribed' and a.confirmed_at = b.confirmed_at
          then (b.left_at at time zone n.timezone)::date end as left_on
      from after_rows a join before_rows b using (newsletter_id, id) join newsletter n on n.id = a.newsletter_id
      where (a.status = 'active') <> (b.status = 'active')
    ), changed as (
      -- Who comes back to the same subscription has not left: that they had is taken off the day that counted it, as long as it has counted any.
      select m.newsletter_id, m.source, m.is_back, m.today,
        case when row_number() over (partition by m.newsletter_id, m.left_on) <= d.departed then m.left_on end as taken_back
      from moved m left join daily_count d on d.newsletter_id = m.newsletter_id and d.day = m.left_on
    ), sources as (
      insert into source_count as s (newsletter_id, day, source, joined)
      select newsletter_id, today, source, count(*) from changed where is_back and taken_back is null group by 1, 2, 3 order by 1, 2, 3
      on conflict (newsletter_id, day, source) do update set joined = s.joined + excluded.joined
    )
    insert into daily_count as d (newsletter_id, day, joined, departed)
      select newsletter_id, coalesce(taken_back, today), count(*) filter (where is_back and taken_back is null),
        count(*) filter (where not is_back) - count(*) filter (where taken_back is not null)
      from changed group by 1, 2 order by 1, 2
      on conflict (newsletter_id, day) do update
        set joined = d.joined + excluded.joined, departed = d.departed + excluded.departed;
    perform notify_live(a.newsletter_id, 'subscribers') from after_rows a join before_rows b using (newsletter_id, id)
      where a.status <> b.status group by a.newsletter_id;
  elsif coalesce(current_setting('tirage.import_begun', true), '') <> '' then
    -- As the insert had counted them. The import itself was the leaving of those whose file named no day.
    insert into daily_count as d (newsletter_id, day, joined, departed)
      select b.newsletter_id, (x.at at time zone n.timezone)::date, -count(*) filter (where x.joined), -count(*) filter (where not x.joined)
      from before_rows b join newsletter n on n.id = b.newsletter_id
        cross join lateral (values (b.confirmed_at, true), (case when b.status <> 'active' then b.left_at end, false)) as x (at, joined)
      where b.confirmed_at is not null and x.at is not null
        and (b.status = 'active' or b.left_at < current_setting('tirage.import_begun')::timestamptz) group by 1, 2 order by 1, 2
      on conflict (newsletter_id, day) do update
        set joined = d.joined + excluded.joined, departed = d.departed + excluded.departed;
    insert into source_count as s (newsletter_id, day, source, joined)
      select b.newsletter_id, (b.confirmed_at at time zone n.timezone)::date, b.source, -count(*)
      from before_rows b join newsletter n on n.id = b.newsletter_id
      where b.confirmed_at is not null and (b.status = 'active' or b.left_at < current_setting('tirage.import_begun')::timestamptz)
      group by 1, 2, 3 order by 1, 2, 3
      on conflict (newsletter_id, day, source) do update set joined = s.joined + excluded.joined;
    perform notify_live(newsletter_id, 'subscribers') from before_rows group by newsletter_id;
  else
    insert into daily_count as d (newsletter_id, day, departed)
      select b.newsletter_id, (now() at time zone n.timezone)::date, count(*)
      from before_rows b join newsletter n on n.id = b.newsletter_id
      where b.status = 'active' group by 1, 2 order by 1, 2
      on conflict (newsletter_id, day) do update set departed = d.departed + excluded.departed;
    perform notify_live(newsletter_id, 'subscribers') from before_rows group by newsletter_id;
  end if;
  return null;
end $$;
