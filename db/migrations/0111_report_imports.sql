-- A report of a network is taken batch by batch, each in a commit of its own. How far it has been read is kept until all
-- of it is, so that it is continued where it stopped, and what is left is visible.
create table report_imports (
  network text not null references networks,
  sha256 bytea not null,
  rows integer not null check (rows >= 0),
  read_rows integer not null default 0 check (read_rows between 0 and rows),
  begun_at timestamptz not null,
  advanced_at timestamptz not null,
  primary key (network, sha256)
);
