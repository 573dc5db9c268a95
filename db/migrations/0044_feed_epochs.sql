-- A database that was restored from a backup gives the numbers of lost events to others. Readers of the feed notice by
-- the epoch in their cursors, which begins anew with each restore.
create table feed_epochs (
  publisher_id uuid not null references publishers,
  -- The second in which it began, so that no two restores of one backup share an epoch. The first one is 0 and has no row.
  epoch bigint not null,
  -- Events up to this number are those that readers of earlier epochs know.
  begins_after bigint not null,
  primary key (publisher_id, epoch)
);
