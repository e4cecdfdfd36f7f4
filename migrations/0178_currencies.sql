-- A newsletter counts in any currency in which plans and placements are sold. The currency of a profile stays € or $.
alter table newsletter drop constraint newsletter_currency_check;
alter table newsletter add constraint newsletter_currency_check check (currency in ('aud', 'brl', 'cad', 'chf', 'czk', 'dkk', 'eur', 'gbp',
  'hkd', 'inr', 'jpy', 'krw', 'mad', 'mxn', 'nok', 'nzd', 'pln', 'ron', 'sek', 'sgd', 'usd', 'xaf', 'xof', 'xpf', 'zar'));
