-- Refunds that name no purchase and have found none. Each later event of their users looks for their purchases again,
-- and operators see them, so they are found without a scan.
create table open_refunds (
  user_id uuid not null,
  transaction_id uuid not null,
  publisher_id uuid not null,
  since timestamptz not null,
  primary key (user_id, transaction_id),
  foreign key (user_id, publisher_id) references users (user_id, publisher_id)
);
create index open_refunds_by_age on open_refunds (since, transaction_id);
