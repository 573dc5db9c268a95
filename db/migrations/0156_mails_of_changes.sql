-- People are told by mail when a passkey or the authenticator app was added or removed.
alter table mails drop constraint mails_kind_check;
alter table mails add constraint mails_kind_check check (
  kind in ('invitation', 'reset', 'changed', 'totp_added', 'totp_removed', 'passkey_added', 'passkey_removed')) not valid;
