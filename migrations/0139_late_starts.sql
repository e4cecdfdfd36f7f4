comment on column publication.unscheduled_by is
  'Why it could not leave when its time came, as a code of the error table. While it is scheduled, it is tried again; else it is a draft again.';
