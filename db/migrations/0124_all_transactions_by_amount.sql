-- Operators list the transactions of all publishers by amount, in one currency, as amounts in two cannot be compared.
create index concurrently all_transactions_by_amount on transactions (currency, amount, transaction_id);
