-- What a sponsor is told of a booking that ran: live for seven days, and from then on as it was.

-- Raised when the link to the report is to work no more.
alter table booking add column report_version smallint not null default 1 check (report_version between 1 and 30000);
-- Those whose seven days may be over.
create index booking_to_report on booking (ran_at) where ran_at is not null and state in ('ran', 'refunded', 'made_good');

create table booking_report (
  newsletter_id text not null,
  booking_id uuid not null,
  taken_at timestamptz not null,
  -- Sums alone, of no person: `Figures` in server/sponsorship/report/contract.ts.
  figures jsonb not null,
  primary key (newsletter_id, booking_id),
  foreign key (newsletter_id, booking_id) references booking (newsletter_id, id) on delete cascade
);
