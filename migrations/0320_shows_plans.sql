-- Whether the public page of plans has a paid one: then every public page leads there. Those that are kept in memory follow the newsletter's version.

alter table newsletter add column shows_plans boolean not null default false;
update newsletter n set shows_plans = true, version = version + 1
where exists (select from plan p where p.newsletter_id = n.id and p.kind = 'paid' and p.shown and p.closed_at is null);

create function keep_shows_plans() returns trigger language plpgsql as $$
begin
  -- Two plans that are hidden at once would each see the other one still.
  perform from newsletter where id = new.newsletter_id for no key update;
  update newsletter n set shows_plans = not n.shows_plans, version = version + 1
  where n.id = new.newsletter_id and n.shows_plans <> exists (
    select from plan p where p.newsletter_id = n.id and p.kind = 'paid' and p.shown and p.closed_at is null);
  return null;
end
$$;
create trigger plan_shows after insert or update of shown, closed_at on plan for each row when (new.kind = 'paid') execute function keep_shows_plans();
