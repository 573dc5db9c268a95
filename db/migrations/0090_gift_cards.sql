-- Users get gift cards: an order of one or more cards of an offer, which a supplier delivers. Numbers and codes of cards
-- are sealed.
create table gift_card_orders (
  user_id uuid not null,
  order_id uuid not null,
  publisher_id uuid not null,
  external_ref text,
  offer_uid text not null,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  total bigint not null check (total > 0),
  status text not null check (status in ('ordered', 'delivered', 'partially_delivered', 'failed', 'refunded')),
  redemption_id uuid,
  supplier_order_id text,
  reason_code text,
  reason_text text,
  version integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (user_id, order_id),
  constraint gift_card_orders_external_ref unique (user_id, external_ref),
  constraint gift_card_orders_redemption unique (user_id, redemption_id),
  foreign key (user_id, publisher_id) references users (user_id, publisher_id)
);

create index gift_card_orders_by_time on gift_card_orders (publisher_id, created_at desc, order_id desc);
create index gift_card_orders_by_id on gift_card_orders (order_id);

create table gift_cards (
  user_id uuid not null,
  card_id uuid not null,
  publisher_id uuid not null,
  order_id uuid not null,
  ordinal smallint not null check (ordinal > 0),
  denomination bigint not null check (denomination > 0),
  status text not null check (status in ('ordered', 'delivered', 'undelivered', 'refunding', 'refunded')),
  transaction_id uuid,
  supplier_card_id text,
  mask text,
  sealed_details bytea,
  expires_on date,
  revealed_at timestamptz,
  may_reveal boolean not null default true,
  primary key (user_id, card_id),
  constraint gift_cards_ordinal unique (user_id, order_id, ordinal),
  constraint gift_cards_delivered check (
    (status in ('ordered', 'undelivered')) = (supplier_card_id is null and sealed_details is null)
  ),
  foreign key (user_id, order_id) references gift_card_orders (user_id, order_id)
);

create index gift_cards_by_id on gift_cards (card_id);

create trigger closed_key_of_sealed_details before insert or update of sealed_details on gift_cards
  for each row execute function refuse_closed_key('sealed_details');

-- What the supplier has yet to be told of, or to answer: orders by their ids, and refunds by those of their cards.
create table gift_card_queue (
  item_id uuid primary key,
  kind text not null check (kind in ('order', 'refund')),
  user_id uuid not null,
  publisher_id uuid not null,
  attempts integer not null default 0,
  due_at timestamptz not null
);

create index gift_card_queue_due on gift_card_queue (due_at);
