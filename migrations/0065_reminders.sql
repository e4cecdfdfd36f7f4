-- How to pay without a card, in the owner's words: an account, an address. By language: {"en": …, "fr": …}.
alter table newsletter add column outside_words jsonb not null default '{}';
