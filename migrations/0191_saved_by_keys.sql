-- The API key that saved a version: whoever finds that another was saved meanwhile reads what saved it.

alter table publication_revision add column saved_by_key text;
