-- A batch is weighed by its events: requests alone let one key report more than a deployment can take in.
alter table publishers
  add column events_per_second integer not null default 500 check (events_per_second > 0);
