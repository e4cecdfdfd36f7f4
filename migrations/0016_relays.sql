-- The kinds of relays, and so the sources of reports, are listed where each is built (server/relays/registry.ts). A second
-- list here had to change with it for every provider.
alter table relay drop constraint relay_kind_check;
alter table feedback drop constraint feedback_source_check;

alter table relay_use rename to relay_usage;
alter index relay_use_pkey rename to relay_usage_pkey;
alter table relay_usage rename constraint relay_use_relay_id_fkey to relay_usage_relay_id_fkey;
