-- A report of a network is compared with what is known of its orders, most of which has not changed.
create index concurrently postbacks_of_order on postbacks (network, order_id) where order_id is not null;
