-- What was entered as paid outside without a sum is complimentary: the figures have always counted it so.

update subscription set way = 'complimentary'
where way = 'outside' and amount is null and not exists (
  select from payment p where p.newsletter_id = subscription.newsletter_id and p.subscription_id = subscription.id);
