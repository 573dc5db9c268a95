-- A user can take back the consent for one account at the bank. The provider says so once, by webhook, and may go on
-- listing the account, so it is kept here until the user has chosen accounts again.
alter table linker_items add column revoked_accounts text[] not null default '{}';
