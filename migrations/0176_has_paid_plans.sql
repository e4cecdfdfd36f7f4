-- Whether a newsletter has, or had, a paid plan: then somebody may sign in to read. Public pages show the way in, those too that are kept in
-- memory until the newsletter changes. A plan is closed and never deleted, so this stays true.

alter table newsletter add column has_paid_plans boolean not null default false;
update newsletter n set has_paid_plans = true, version = version + 1
where exists (select from plan p where p.newsletter_id = n.id and p.kind = 'paid');

create function keep_has_paid_plans() returns trigger language plpgsql as $$
begin
  update newsletter n set has_paid_plans = true, version = version + 1 where n.id = new.newsletter_id and not n.has_paid_plans;
  return null;
end
$$;
create trigger plan_paid after insert on plan for each row when (new.kind = 'paid') execute function keep_has_paid_plans();
