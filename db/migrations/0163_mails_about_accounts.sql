-- Users are told by mail, at the address that their publisher knows, when an account is opened for them or removed.
alter table user_mails drop constraint user_mails_kind_check;
alter table user_mails add constraint user_mails_kind_check check (
  kind in ('sign_up', 'reset', 'changed', 'passkey_added', 'passkey_removed', 'account_opened', 'account_removed',
    'reward_ready', 'redemption_paid', 'card_broken')) not valid;
