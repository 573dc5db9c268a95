-- Validates the constraint that migration 0169 added, without blocking writes.
alter table postbacks validate constraint postbacks_amount_check;
