-- The languages of the product are listed once: a domain, which every column of a language has as its type.
-- A further language is one migration:
--   alter domain language_code drop constraint language_code_check;
--   alter domain language_code add constraint language_code_check check (value in ('en', 'fr', 'de'));
--
-- The domain has no check while the columns change to it, so that PostgreSQL rewrites no table.

create domain language_code as text;

alter table profile drop constraint profile_language_check, alter column language type language_code;
alter table newsletter drop constraint newsletter_language_check, alter column language type language_code;
alter table subscriber drop constraint subscriber_language_check, alter column language type language_code;
alter table consent drop constraint consent_language_check, alter column language type language_code;
alter table publication drop constraint publication_language_check, alter column language type language_code;

alter domain language_code add constraint language_code_check check (value in ('en', 'fr'));
