-- Who paused reads until the end of what was paid for: a pause at Stripe had shut reading at once.

insert into entitlement as e (newsletter_id, subscriber_id, plan_id, until)
select newsletter_id, subscriber_id, plan_id, max(coalesce(paid_until, 'infinity')) from subscription
where status = 'paused' and subscriber_id is not null group by 1, 2, 3
on conflict (newsletter_id, subscriber_id, plan_id) do update set until = excluded.until where e.until < excluded.until;
