-- The same for items that are reported without their order.
create index concurrently postbacks_without_order on postbacks (network, transaction_id) where order_id is null;
