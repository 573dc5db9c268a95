-- Feeds, checks and removals are claimed by one loop, which fences each job by the id of its lease; until now only feeds had one.
alter table linker_items add column check_lease uuid;
alter table item_removals add column lease uuid;

-- When the next call of an operation may be made under an account of the linking provider ('service', or the publisher's id).
-- The operation '*' is the whole account, while the provider is down. Claims read it, so it names accounts as they do; provider_turns,
-- which named them by a hash, is for processes of the release before this one, and is dropped after it.
create table provider_pacing (
  account text not null,
  operation text not null,
  next_at timestamptz not null,
  primary key (account, operation)
);
