-- A refund looks for other reports of it, by amount; purchases are a hundred times as many.
create index concurrently source_events_refunds on source_events (user_id, currency, amount)
  where kind = 'REFUND' and source = 'CARD';
