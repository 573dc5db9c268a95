-- What is known of each login's health, when its feed is to be read next, and what keeps the provider's limits for one item.

alter table linker_items
  -- A webhook, a new link or a person asked for the next sync; those go before the polls.
  add column sync_asked boolean not null default false,
  -- Each call about an item moves these ahead; what is asked for waits until they are near.
  add column sync_paced_until timestamptz,
  add column check_paced_until timestamptz,
  add column checked_at timestamptz,
  -- When a webhook last told of the item, and when its feed last brought something.
  add column hinted_at timestamptz,
  add column heard_at timestamptz,
  -- As the provider said when it was last asked: when the bank last told it anything, and when the consent ends.
  add column last_updated_at timestamptz,
  add column consent_ends_at timestamptz,
  -- When the login will be disconnected, as a webhook told; and up to which such instant that is settled.
  add column disconnects_at timestamptz,
  add column disconnect_settled_at timestamptz,
  -- The code with which calls about the item fail at present, and since when.
  add column fault text,
  add column fault_since timestamptz;

-- One publisher's feeds that are due, those asked for first.
create index linker_items_in_turn on linker_items (publisher_id, sync_asked, sync_due_at);
create index linker_items_at_fault on linker_items (fault) where fault is not null;

alter table links
  -- When the user must have signed in again; null while nothing is known to end.
  add column reauthentication_deadline timestamptz,
  -- Set from the announcement that a login broke until it works again.
  add column break_told_at timestamptz,
  -- When what is shown was observed: what was seen earlier does not overrule it.
  add column observed_at timestamptz;
create index links_by_error on links (error) where error is not null and unlinked_at is null;
