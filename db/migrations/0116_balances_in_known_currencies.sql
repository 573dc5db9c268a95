-- Apart from the migration that adds it, so that writers of balances do not wait while all rows are read.
alter table user_balances validate constraint user_balances_in_a_currency_of_the_publisher;
