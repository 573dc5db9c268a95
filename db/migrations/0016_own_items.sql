-- A user may link under the publisher's own account by a link token that we made there. Then nobody but us has the token of
-- the item, so nobody but us can end it at the provider; what the publisher handed over is the publisher's to end.

-- Items whose access token the publisher has, for it handed the token over. Kept after unlinking, for such an item may come
-- back by a repair that was under way.
create table handed_over_items (
  publisher_id uuid not null references publishers,
  -- A keyed hash of the provider's item id.
  item_fingerprint bytea not null,
  primary key (publisher_id, item_fingerprint)
);
insert into handed_over_items (publisher_id, item_fingerprint)
select distinct publisher_id, item_fingerprint from linker_items where owner = 'publisher';

-- Under whose account at the provider the item is to be removed.
alter table item_removals add column owner text not null default 'service' check (owner in ('service', 'publisher'));
