-- Users with an account of their own choose what they are told by mail. Nothing is sent until they do.

create table user_mail_preferences (
  user_id uuid not null,
  kind text not null check (kind in ('reward_ready', 'redemption_paid', 'card_broken')),
  publisher_id uuid not null,
  -- Of the mails: the one in which the user chose them.
  language text not null,
  primary key (user_id, kind),
  foreign key (user_id, publisher_id) references users (user_id, publisher_id)
);

alter table user_mails drop constraint user_mails_kind_check;
alter table user_mails add constraint user_mails_kind_check
  check (kind in ('sign_up', 'reset', 'changed', 'reward_ready', 'redemption_paid', 'card_broken')) not valid;
