-- An account may change hands within a day: one user unlinks it, another links it. Of a purchase of that day many banks
-- tell only the day, so it may have been rewarded to the first already.

-- Another user of the publisher unlinked this account, or one like it, on the day on which it was linked.
alter table cards add column taken_over boolean not null default false;

-- Accounts that were unlinked lately.
create index cards_unlinked on cards (publisher_id, unlinked_at) where unlinked_at is not null;
