-- What the relay said when sending stopped by itself, in its own words.

alter table publication add column stopped_answer text;
