-- Whoever leaves by a copy that was caught is no unsubscribe of the publication: it reached no reader, and rates are shares of copies that did.
create or replace function count_unsubscribes() returns trigger language plpgsql as $$
begin
  if not exists (select from after_rows where kind in ('unsubscribed', 'returned')) then return null; end if;
  insert into publication_result as r (newsletter_id, publication_id, part, unsubscribes)
  select newsletter_id, publication_id, pg_backend_pid() % 16, sum(change) from (
    select newsletter_id, publication_id, subscriber_id, 1 as change from after_rows where kind = 'unsubscribed'
    union all
    select a.newsletter_id, left_by.publication_id, a.subscriber_id, -1 from after_rows a cross join lateral (
      select e.publication_id from event e
      where e.newsletter_id = a.newsletter_id and e.subscriber_id = a.subscriber_id and e.kind = 'unsubscribed' and e.at <= a.at
      order by e.at desc, e.id desc limit 1
    ) left_by where a.kind = 'returned'
  ) c where publication_id is not null and not exists (
    select from delivery d where d.newsletter_id = c.newsletter_id and d.publication_id = c.publication_id
      and d.subscriber_id = c.subscriber_id and d.state = 'caught'
  ) group by 1, 2 order by 1, 2
  on conflict (newsletter_id, publication_id, part) do update set unsubscribes = r.unsubscribes + excluded.unsubscribes;
  return null;
end $$;
