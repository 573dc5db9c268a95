-- Mails that wait are of the kinds that 0144 allows.
alter table user_mails validate constraint user_mails_kind_check;
