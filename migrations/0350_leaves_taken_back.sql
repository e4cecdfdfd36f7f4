-- Whoever comes back to the subscription that they left is no unsubscribe of the publication by which they had left.
create or replace function count_unsubscribes() returns trigger language plpgsql as $$
begin
  if not exists (select from after_rows where kind in ('unsubscribed', 'returned')) then return null; end if;
  insert into publication_result as r (newsletter_id, publication_id, part, unsubscribes)
  select newsletter_id, publication_id, pg_backend_pid() % 16, sum(change) from (
    select newsletter_id, publication_id, 1 as change from after_rows where kind = 'unsubscribed'
    union all
    select a.newsletter_id, left_by.publication_id, -1 from after_rows a cross join lateral (
      select e.publication_id from event e
      where e.newsletter_id = a.newsletter_id and e.subscriber_id = a.subscriber_id and e.kind = 'unsubscribed' and e.at <= a.at
      order by e.at desc, e.id desc limit 1
    ) left_by where a.kind = 'returned'
  ) c where publication_id is not null group by 1, 2 order by 1, 2
  on conflict (newsletter_id, publication_id, part) do update set unsubscribes = r.unsubscribes + excluded.unsubscribes;
  return null;
end $$;
