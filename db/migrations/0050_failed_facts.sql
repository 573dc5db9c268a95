-- A fact whose work keeps failing comes to rest, due at infinity, until a person has it tried again. Why its last try
-- failed stands beside it.

alter table facts
  add column error text,
  add column failed_at timestamptz;
