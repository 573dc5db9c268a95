-- Validates the constraint that migration 0160 added, without blocking writes.
alter table postbacks validate constraint postbacks_status_check;
