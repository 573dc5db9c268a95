-- Data that leaves: erased users, and the reports that publishers order.

-- Erased users: whatever identifies them is removed, and the ledger stays under their IDs.
create table erasures (
  user_id uuid not null,
  erasure_id uuid not null,
  publisher_id uuid not null,
  -- Replaces the publisher's identifier of the user.
  pseudonym text not null,
  requested_at timestamptz not null,
  requested_by text not null,
  -- In real time, whatever a sandbox's clock says.
  recorded_at timestamptz not null default now(),
  due_at timestamptz not null default now(),
  -- Null until references are replaced. From then on, late reports are reduced in the same way.
  salt bytea,
  counts jsonb not null default '{}',
  done_at timestamptz,
  sha256 bytea,
  primary key (user_id),
  foreign key (user_id, publisher_id) references users (user_id, publisher_id),
  check ((done_at is null) = (sha256 is null))
);
create index erasures_by_id on erasures (erasure_id);
create index erasures_due on erasures (due_at) where done_at is null;

-- Replaces a reference: equal references of a user get the same replacement, and a replacement stays as it is.
create function erased_reference(salt bytea, reference text) returns text language sql immutable as $$
  select case
    when reference like 'erased-%' then reference
    else 'erased-' || substr(encode(sha256(salt || convert_to(reference, 'UTF8')), 'hex'), 1, 32)
  end
$$;

-- Reports that a worker creates and stores as files. The row is both the job and its result.
create table report_orders (
  publisher_id uuid not null references publishers,
  report_id uuid not null,
  kind text not null,
  format text not null,
  first_day date not null,
  last_day date not null,
  -- The schedule that ordered it. Null if the publisher did.
  schedule text,
  status text not null default 'queued',
  -- Why it failed.
  reason text,
  -- Counts the starts, and names the file of each: whatever an earlier process still writes is never taken for the
  -- report.
  attempt integer not null default 0,
  failures integer not null default 0,
  -- In real time. queued: when it may start, immediately unless it failed before. running: when the lease of the
  -- process ends. Null once finished.
  due_at timestamptz default '-infinity',
  begun_at timestamptz,
  row_count bigint,
  byte_count bigint,
  sha256 bytea,
  created_at timestamptz not null,
  finished_at timestamptz,
  expires_at timestamptz,
  -- By the publisher's clock: when files must next be removed. Null if none is left, or the report is
  -- not finished.
  files_due_at timestamptz,
  primary key (publisher_id, report_id),
  check (kind in ('transactions', 'users', 'rewards', 'redemptions', 'deliveries')),
  check (format in ('csv', 'ndjson', 'parquet')),
  check (first_day <= last_day),
  check (schedule in ('day', 'month')),
  check (status in ('queued', 'running', 'ready', 'failed', 'expired')),
  check ((status = 'failed') = (reason is not null)),
  check ((status in ('queued', 'running')) = (due_at is not null)),
  check (status <> 'ready' or (sha256 is not null and expires_at is not null and files_due_at is not null))
);
-- A schedule orders a period's report once, whichever process does it and whenever.
create unique index report_orders_of_schedule on report_orders (publisher_id, schedule, kind, first_day)
  where schedule is not null;
create index report_orders_by_time on report_orders (publisher_id, created_at, report_id);
create index report_orders_due on report_orders (due_at) where due_at is not null;
create index report_orders_begun on report_orders (publisher_id, begun_at);
create index report_orders_with_files on report_orders (publisher_id, files_due_at) where files_due_at is not null;

-- Reports that are ordered when each day or month is over.
create table report_schedules (
  publisher_id uuid not null references publishers,
  kind text not null,
  every text not null,
  format text not null,
  -- The first day of the next period, in the publisher's time zone.
  next_day date not null,
  -- When that period is over, by the publisher's clock.
  due_at timestamptz not null,
  created_at timestamptz not null,
  primary key (publisher_id, kind, every),
  check (kind in ('transactions', 'users', 'rewards', 'redemptions', 'deliveries')),
  check (every in ('day', 'month')),
  check (format in ('csv', 'ndjson', 'parquet'))
);
create index report_schedules_due on report_schedules (publisher_id, due_at);
