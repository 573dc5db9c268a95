-- Users link under the publisher's own name, in its language and countries, with the accounts that it wants to see. Until
-- now all of these were constants; the defaults are what they were.
alter table publishers
  add column link_name text,
  add column link_language text not null default 'en',
  add column link_countries text[] not null default '{US}',
  add column link_products text[] not null default '{transactions}',
  add column link_account_subtypes text[] not null default '{credit card,checking,savings}';
