-- Publishers have the report of every day or month made when it is over.

create table report_schedules (
  publisher_id uuid not null references publishers,
  kind text not null,
  every text not null,
  format text not null,
  -- The first day of the next period, in the time zone of the publisher.
  next_day date not null,
  -- When that period is over, by the clock of the publisher.
  due_at timestamptz not null,
  created_at timestamptz not null,
  primary key (publisher_id, kind, every),
  check (kind in ('transactions', 'users', 'rewards', 'redemptions', 'deliveries')),
  check (every in ('day', 'month')),
  check (format in ('csv', 'ndjson', 'parquet'))
);
create index report_schedules_due on report_schedules (publisher_id, due_at);
