-- Pages that end at a paywall say whether a plan can be taken. They are kept in memory until the newsletter's version changes.

create function touch_newsletter_of_plan() returns trigger language plpgsql as $$
begin
  update newsletter set version = version + 1 where id = new.newsletter_id;
  return null;
end
$$;
create trigger plan_opened after update of closed_at on plan for each row execute function touch_newsletter_of_plan();
create trigger price_opened after insert or update of replaced_at on price for each row execute function touch_newsletter_of_plan();
