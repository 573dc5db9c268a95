-- Users are told by mail when a passkey was added to their account or removed from it.
alter table user_mails drop constraint user_mails_kind_check;
alter table user_mails add constraint user_mails_kind_check check (
  kind in ('sign_up', 'reset', 'changed', 'passkey_added', 'passkey_removed', 'reward_ready', 'redemption_paid',
    'card_broken')) not valid;
