-- Consent receipts say for whom a consent is and how it is proved, and form a chain in each newsletter, so that one that was
-- removed, altered or put in later is found (docs/receipts.md).

alter table consent
  -- A sponsor's id. Null: the newsletter itself.
  add column beneficiary_id text,
  -- The name as it was at the time. Null in receipts that are older than this column.
  add column beneficiary_name text,
  -- What proves it besides the means: a publication, an API key, the time of the mail whose link was opened.
  add column proof text check (length(proof) <= 200),
  -- It goes into the hash of the receipt and is deleted with it, so that nobody can find an erased receipt by trying.
  add column salt uuid not null default gen_random_uuid();

-- Receipts that are not in the chain yet. Those who subscribe write here and wait for nobody.
create table unchained_receipt (
  newsletter_id text not null,
  receipt_id uuid not null,
  primary key (newsletter_id, receipt_id),
  foreign key (newsletter_id, receipt_id) references consent (newsletter_id, id) on delete cascade
);
-- Those that were written before are chained in their order, at the first run.
insert into unchained_receipt (newsletter_id, receipt_id) select newsletter_id, id from consent order by 1, 2;

create function await_chaining() returns trigger language plpgsql as $$
begin
  insert into unchained_receipt (newsletter_id, receipt_id) select newsletter_id, id from after_rows;
  return null;
end $$;
create trigger await_chaining after insert on consent referencing new table as after_rows
  for each statement execute function await_chaining();

-- The chain of a newsletter. It is only added to.
create table receipt_chain (
  newsletter_id text not null references newsletter (id) on delete cascade,
  -- 1, 2, 3 … without gaps.
  position bigint not null,
  -- Null when its subscriber was erased.
  receipt_id uuid,
  -- SHA-256 of the salt and the receipt.
  leaf bytea not null,
  -- SHA-256 of the hash before and the leaf.
  hash bytea not null,
  -- A keyed hash that says that the receipt was erased by the program.
  erasure bytea,
  primary key (newsletter_id, position),
  check ((receipt_id is null) = (erasure is not null))
);
create unique index receipt_chain_receipt on receipt_chain (newsletter_id, receipt_id);

-- One for each batch that was chained.
create table receipt_checkpoint (
  newsletter_id text not null references newsletter (id) on delete cascade,
  -- The last of the batch, and its hash.
  position bigint not null,
  hash bytea not null,
  at timestamptz not null,
  -- Whether no receipt was left waiting: a receipt that is older by an hour and comes later was put in later.
  drained boolean not null,
  -- A hash of this row with a key from the instance's secret.
  mac bytea not null,
  primary key (newsletter_id, position)
);
