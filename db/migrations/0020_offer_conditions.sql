-- What an offer can ask beyond dates and amounts, where a brand sells, and how a publisher settles what two sources
-- report of one purchase.

alter table offers
  -- Counts the states an offer has had; the terms of a purchase name the one they were taken from.
  add column version integer not null default 1 check (version > 0),
  -- Read whole and never searched: days, hours, activation, limits, budgets. Absent members ask nothing.
  add column conditions jsonb not null default '{}' check (jsonb_typeof(conditions) = 'object');

-- Two-letter codes in lower case; empty: everywhere.
alter table brands add column countries text[] not null default '{}';

alter table publishers
  -- A purchase seen by card and by affiliate link: whose reward it is.
  add column stacking_policy text not null default 'AFFILIATE' check (stacking_policy in ('AFFILIATE', 'CARD', 'BOTH')),
  -- A marketplace was paid and names the merchant, and both have offers: who is rewarded.
  add column marketplace_policy text not null default 'MARKETPLACE' check (marketplace_policy in ('MARKETPLACE', 'MERCHANT'));
