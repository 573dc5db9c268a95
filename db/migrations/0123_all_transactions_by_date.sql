-- Operators list the transactions of all publishers by date.
create index concurrently all_transactions_by_date on transactions (authorized_at, transaction_id);
