-- Every row fits what 0163 says.
alter table user_mails validate constraint user_mails_kind_check;
