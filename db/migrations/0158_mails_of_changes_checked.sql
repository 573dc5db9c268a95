-- Validates the constraint that migration 0156 added, without blocking writes.
alter table mails validate constraint mails_kind_check;
