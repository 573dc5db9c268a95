-- An e-mail address belongs to the account that was accepted with it, which is the one with a password.
create unique index concurrently accounts_with_password on accounts (lower(email))
where kind <> 'user' and password is not null;
