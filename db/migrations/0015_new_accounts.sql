-- A bank tells by a webhook, and by nothing else, that a login has accounts which its user has not been asked about. The
-- publisher is told in turn, for only in a repair can the user share them.

-- A webhook told it; the next look at the login takes it up.
alter table linker_items add column new_accounts_hinted boolean not null default false;

-- Told to the publisher, and shown until the user has chosen.
alter table links add column new_accounts_available boolean not null default false;
