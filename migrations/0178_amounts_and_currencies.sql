-- What was entered as paid outside without a sum is complimentary: the figures have always counted it so.

update subscription set way = 'complimentary'
where way = 'outside' and amount is null and not exists (
  select from payment p where p.newsletter_id = subscription.newsletter_id and p.subscription_id = subscription.id);

-- A newsletter counts in any currency in which plans and placements are sold. The currency of a profile stays € or $.
alter table newsletter drop constraint newsletter_currency_check;
alter table newsletter add constraint newsletter_currency_check check (currency in ('aud', 'brl', 'cad', 'chf', 'czk', 'dkk', 'eur', 'gbp',
  'hkd', 'inr', 'jpy', 'krw', 'mad', 'mxn', 'nok', 'nzd', 'pln', 'ron', 'sek', 'sgd', 'usd', 'xaf', 'xof', 'xpf', 'zar'));
