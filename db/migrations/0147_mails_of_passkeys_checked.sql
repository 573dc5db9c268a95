-- Validates the constraint that migration 0146 added, without blocking writes.
alter table user_mails validate constraint user_mails_kind_check;
