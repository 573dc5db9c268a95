-- Operators list what was bought at a brand by the users of all publishers.
create index concurrently all_transactions_of_brands on transactions (brand_uid, authorized_at, transaction_id)
  where brand_uid is not null;
