-- Publishers order reports, which a worker makes and stores as files. The row is the work and its result.

create table report_orders (
  publisher_id uuid not null references publishers,
  report_id uuid not null,
  kind text not null,
  format text not null,
  first_day date not null,
  last_day date not null,
  -- Which schedule ordered it; null: the publisher.
  schedule text,
  status text not null default 'queued',
  -- Why it failed.
  reason text,
  -- Counts each begin, and names the file of it: what an earlier process still writes is never taken for the report.
  attempt integer not null default 0,
  failures integer not null default 0,
  -- In real time. Queued: when it may begin; at once, whatever the clocks, unless it failed. Running: until when a process
  -- has it. Null: it is over.
  due_at timestamptz default '-infinity',
  begun_at timestamptz,
  row_count bigint,
  byte_count bigint,
  sha256 bytea,
  created_at timestamptz not null,
  finished_at timestamptz,
  expires_at timestamptz,
  -- By the clock of the publisher: when files must be removed next; null: none is left, or the report is not over.
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
-- A schedule orders the report of a period once, whatever process it is, and whenever.
create unique index report_orders_of_schedule on report_orders (publisher_id, schedule, kind, first_day)
  where schedule is not null;
create index report_orders_by_time on report_orders (publisher_id, created_at, report_id);
create index report_orders_due on report_orders (due_at) where due_at is not null;
create index report_orders_begun on report_orders (publisher_id, begun_at);
create index report_orders_with_files on report_orders (publisher_id, files_due_at) where files_due_at is not null;
