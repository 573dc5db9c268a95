-- Operators page through the reported sales that match no click, and rejections, which may be of unknown orders.
create index concurrently postbacks_for_operators on postbacks (received_at, postback_id)
  where user_id is null or status = 'rejected';
-- Operators page through the open or decided reviews of all publishers.
create index concurrently all_reviews_by_time on review_items ((decided_at is null), last_seen_at, review_id);
create index concurrently all_reviews_by_purchases on review_items ((decided_at is null), purchases, review_id);
-- Operators page through the brands in catalog order.
create unique index concurrently brands_in_order on brands (ordinal);
