-- Closed months. Advertisers, publishers and the service get statements of them that never change
-- (docs/decisions/0051-closing-a-period.md).

-- Months of the same books follow one another. `books` is a publisher's ID, or `production` for what all publishers of
-- that environment share: the statements of its advertisers and of the service.
create table closings (
  books text not null,
  month text not null check (month ~ '^\d{4}-\d{2}$'),
  -- The statements contain what took effect before the end, was booked before the cut, and is in no earlier month.
  ends_at timestamptz not null,
  cut_at timestamptz not null,
  -- Nothing booked before this is left for the next month.
  booked_from timestamptz not null,
  created_at timestamptz not null,
  closed_by text not null,
  primary key (books, month)
);
create trigger closings_append_only before update or delete or truncate on closings
  for each statement execute function ledger_is_append_only();

create table statements (
  statement_id uuid primary key,
  books text not null,
  month text not null,
  kind text not null check (kind in ('advertiser', 'publisher', 'service')),
  -- The brand, the publisher's ID, or `service`.
  party text not null,
  -- The name when the month was closed. The document is built from the books alone.
  party_name text not null,
  -- Set for a publisher's statement.
  publisher_id uuid references publishers,
  environment text not null check (environment in ('sandbox', 'production')),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  -- Canonical JSON, and the hash of exactly these bytes.
  document text not null,
  sha256 bytea not null,
  created_at timestamptz not null,
  closed_by text not null,
  constraint statements_once_a_month unique (books, month, kind, party, currency),
  check ((kind = 'publisher') = (publisher_id is not null)),
  foreign key (books, month) references closings (books, month)
);
create index statements_of_publisher on statements (publisher_id, month) where publisher_id is not null;
create trigger statements_append_only before update or delete or truncate on statements
  for each statement execute function ledger_is_append_only();
