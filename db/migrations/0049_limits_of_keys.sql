-- A key may end by itself and may be tied to addresses, so that a leaked one is worth less; the day of its last use
-- shows which ones can go.

alter table api_keys
  add column expires_at timestamptz,
  add column address_ranges text[] not null default '{}',
  add column last_used_on date;
alter table operators
  add column expires_at timestamptz,
  add column address_ranges text[] not null default '{}',
  add column last_used_on date;
