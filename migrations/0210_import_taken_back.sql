-- How many an import that was taken back has removed, and how many stayed for which reason. Null while nothing was taken back, and of those before.
alter table import add column taken_back jsonb;
