-- What was noted beside payments and gifts of people who were erased goes as well, as it does from now on with them. Payments of sponsors and
-- of who gave a gift have no subscriber either, and keep theirs.
update payment set note = '' where subscriber_id is null and booking_id is null and gift_id is null and note <> '';
update gift g set note = '' from subscription s
where s.newsletter_id = g.newsletter_id and s.id = g.subscription_id and s.subscriber_id is null and g.note <> '';
