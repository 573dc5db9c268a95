-- Which budgets were told to be spent, or nearly so: every worker looks, and each such thing is told once by one of them.
-- The amount is part of it, because a budget that is raised can be spent anew.
create table budget_warnings (
  offer_uid text not null,
  period text not null,
  starts_on date not null,
  environment text not null,
  amount bigint not null,
  percent integer not null check (percent between 1 and 100),
  warned_at timestamptz not null,
  primary key (offer_uid, period, starts_on, environment, amount, percent),
  foreign key (offer_uid, period, starts_on, environment) references offer_budgets
);
