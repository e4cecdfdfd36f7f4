-- What came of publications, counted as it is stored: results and the dashboard read no click, event or report, and segments read who clicked.

-- Nothing refers to the publication, as in `click`: a click that comes while it is deleted is stored all the same.
create table publication_result (
  newsletter_id text not null references newsletter (id) on delete cascade,
  publication_id text not null,
  -- The figures of a publication are the sums of its rows. Connections write different rows, so that they do not wait for one another.
  part smallint not null,
  raw bigint not null default 0,
  human bigint not null default 0,
  people bigint not null default 0,
  unsubscribes bigint not null default 0,
  -- Of deliveries, however many reports there are of each.
  bounces bigint not null default 0,
  complaints bigint not null default 0,
  primary key (newsletter_id, publication_id, part)
);

-- Who clicked in a publication, by the rules for clicks of people, where the newsletter keeps who it was.
create table publication_clicker (
  newsletter_id text not null,
  publication_id text not null,
  subscriber_id uuid not null,
  primary key (newsletter_id, publication_id, subscriber_id)
);

create function count_clicks() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    if not exists (select from after_rows where publication_id is not null) then return null; end if;
    with clickers as (
      insert into publication_clicker (newsletter_id, publication_id, subscriber_id)
      select distinct newsletter_id, publication_id, subscriber_id from after_rows
      where publication_id is not null and subscriber_id is not null and excluded_by is null order by 1, 2, 3
      on conflict do nothing returning newsletter_id, publication_id
    )
    insert into publication_result as r (newsletter_id, publication_id, part, raw, human, people)
    select newsletter_id, publication_id, pg_backend_pid() % 16, count(*), count(*) filter (where excluded_by is null),
      (select count(*) from clickers k where k.newsletter_id = a.newsletter_id and k.publication_id = a.publication_id)
    from after_rows a where publication_id is not null group by 1, 2 order by 1, 2
    on conflict (newsletter_id, publication_id, part)
      do update set raw = r.raw + excluded.raw, human = r.human + excluded.human, people = r.people + excluded.people;
  else
    -- The person was taken off clicks: they are no clicker when none of theirs is left.
    with gone as (
      delete from publication_clicker k using (
        select distinct b.newsletter_id, b.publication_id, b.subscriber_id
        from before_rows b join after_rows a using (newsletter_id, id)
        where b.subscriber_id is not null and a.subscriber_id is distinct from b.subscriber_id
      ) b
      where k.newsletter_id = b.newsletter_id and k.publication_id = b.publication_id and k.subscriber_id = b.subscriber_id
        and not exists (select from click c where c.newsletter_id = b.newsletter_id and c.subscriber_id = b.subscriber_id
          and c.publication_id = b.publication_id and c.excluded_by is null)
      returning k.newsletter_id, k.publication_id
    )
    insert into publication_result as r (newsletter_id, publication_id, part, people)
    select newsletter_id, publication_id, pg_backend_pid() % 16, -count(*) from gone group by 1, 2 order by 1, 2
    on conflict (newsletter_id, publication_id, part) do update set people = r.people + excluded.people;
  end if;
  return null;
end $$;

create function count_unsubscribes() returns trigger language plpgsql as $$
begin
  if not exists (select from after_rows where kind = 'unsubscribed') then return null; end if;
  insert into publication_result as r (newsletter_id, publication_id, part, unsubscribes)
  select newsletter_id, publication_id, pg_backend_pid() % 16, count(*) from after_rows
  where kind = 'unsubscribed' and publication_id is not null group by 1, 2 order by 1, 2
  on conflict (newsletter_id, publication_id, part) do update set unsubscribes = r.unsubscribes + excluded.unsubscribes;
  return null;
end $$;

create function count_feedback() returns trigger language plpgsql as $$
begin
  -- Reports of a publication come one after the other, so that two of the same delivery count it once.
  insert into publication_result as r (newsletter_id, publication_id, part)
  select distinct newsletter_id, publication_id, -1 from after_rows order by 1, 2
  on conflict (newsletter_id, publication_id, part) do update set bounces = r.bounces;
  update publication_result r set bounces = r.bounces + f.bounces, complaints = r.complaints + f.complaints
  from (
    select newsletter_id, publication_id, count(distinct subscriber_id) filter (where kind <> 'complaint') as bounces,
      count(distinct subscriber_id) filter (where kind = 'complaint') as complaints
    from after_rows a where not exists (
      select from feedback f where f.newsletter_id = a.newsletter_id and f.publication_id = a.publication_id
        and f.subscriber_id = a.subscriber_id and (f.kind = 'complaint') = (a.kind = 'complaint')
        and not exists (select from after_rows o where o.newsletter_id = f.newsletter_id and o.id = f.id)
    ) group by 1, 2
  ) f
  where r.newsletter_id = f.newsletter_id and r.publication_id = f.publication_id and r.part = -1;
  return null;
end $$;

lock table click, event, feedback in share row exclusive mode;
-- Nothing looks for the clicks of a publication any more.
drop index click_publication;
insert into publication_clicker (newsletter_id, publication_id, subscriber_id)
select newsletter_id, publication_id, subscriber_id from click
where publication_id is not null and subscriber_id is not null and excluded_by is null group by 1, 2, 3;
insert into publication_result (newsletter_id, publication_id, part, raw, human, people, unsubscribes, bounces, complaints)
select newsletter_id, publication_id, -1, sum(raw), sum(human), sum(people), sum(unsubscribes), sum(bounces), sum(complaints) from (
  select newsletter_id, publication_id, count(*) as raw, count(*) filter (where excluded_by is null) as human, 0 as people,
      0 as unsubscribes, 0 as bounces, 0 as complaints
    from click where publication_id is not null group by 1, 2
  union all
  select newsletter_id, publication_id, 0, 0, count(*), 0, 0, 0 from publication_clicker group by 1, 2
  union all
  select newsletter_id, publication_id, 0, 0, 0, count(*), 0, 0 from event
    where kind = 'unsubscribed' and publication_id is not null group by 1, 2
  union all
  select newsletter_id, publication_id, 0, 0, 0, 0, count(distinct subscriber_id) filter (where kind <> 'complaint'),
      count(distinct subscriber_id) filter (where kind = 'complaint')
    from feedback group by 1, 2
) counted join newsletter n on n.id = newsletter_id group by 1, 2;

-- Clicks and events are deleted with their newsletter only, and these rows with it.
create trigger count_clicks_inserted after insert on click referencing new table as after_rows
  for each statement execute function count_clicks();
create trigger count_clicks_updated after update on click referencing old table as before_rows new table as after_rows
  for each statement execute function count_clicks();
create trigger count_unsubscribes after insert on event referencing new table as after_rows
  for each statement execute function count_unsubscribes();
create trigger count_feedback after insert on feedback referencing new table as after_rows
  for each statement execute function count_feedback();
