-- Whether cards are charged in Stripe's test mode. Public pages say so, those too that are kept in memory until the newsletter changes.

alter table newsletter add column card_test boolean not null default false;
update newsletter n set card_test = true, version = version + 1
where exists (select from stripe_account a where a.newsletter_id = n.id and a.test);

create function keep_card_test() returns trigger language plpgsql as $$
declare
  owner text := case when tg_op = 'DELETE' then old.newsletter_id else new.newsletter_id end;
  is_test boolean := tg_op <> 'DELETE' and new.test;
begin
  update newsletter n set card_test = is_test, version = version + 1 where n.id = owner and n.card_test <> is_test;
  return null;
end
$$;
create trigger stripe_account_mode after insert or delete or update of test on stripe_account
  for each row execute function keep_card_test();
