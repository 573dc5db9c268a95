-- Every row fits what 0160 says.
alter table user_mails validate constraint user_mails_kind_check;
