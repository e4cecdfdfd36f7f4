-- How people subscribe, and how they have less without leaving.
alter table newsletter
  -- Whether an address counts once its owner has confirmed it, or at once.
  add column opt_in text not null default 'double' check (opt_in in ('double', 'single')),
  -- What becomes of addresses that several people read (info@), and of those that are thrown away after use.
  add column role_addresses text not null default 'accept' check (role_addresses in ('accept', 'confirm', 'refuse')),
  add column disposable_addresses text not null default 'accept' check (disposable_addresses in ('accept', 'confirm', 'refuse'));

-- Until then a subscriber gets no publication, and stays one.
alter table subscriber add column paused_until timestamptz;
