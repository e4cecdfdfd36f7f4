-- `words` holds what strangers may read of a publication: the public archive searches and shows nothing else.
alter table publication
  -- With what its gates hide, for the search of members. Null when strangers may read all of it.
  add column whole_words text;
