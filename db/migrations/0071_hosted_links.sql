-- The user of a hosted link finishes it in a browser, without the publisher's app, so nobody brings its public token. The
-- service asks the provider for it instead. A row lives until the login is linked, or no longer can be.
create table hosted_links (
  user_id uuid not null,
  hosted_id uuid not null,
  publisher_id uuid not null,
  owner text not null,
  sealed_token bytea not null,
  token_fingerprint bytea not null,
  expires_at timestamptz not null,
  due_at timestamptz not null,
  failures integer not null default 0,
  lease uuid,
  lease_until timestamptz,
  primary key (user_id, hosted_id),
  foreign key (user_id, publisher_id) references users (user_id, publisher_id),
  check (owner in ('service', 'publisher'))
);

create index hosted_links_due on hosted_links (due_at);
create index hosted_links_by_token on hosted_links (token_fingerprint);

create trigger closed_key_of_sealed_token before insert or update of sealed_token on hosted_links
  for each row execute function refuse_closed_key('sealed_token');
