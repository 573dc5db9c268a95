-- What a purchase takes of what an offer gives only so often or so much (docs/decisions/0022-replay.md). One table replaces
-- the uses of one-time offers, the reservations in budgets, the bounds of rewards and the mark on a used voucher code.
create table allowance_holds (
  user_id uuid not null,
  transaction_id uuid not null,
  publisher_id uuid not null,
  offer_uid text not null,
  kind text not null check (kind in ('use', 'user_limit', 'budget', 'code')),
  -- use and code: for a lifetime. user_limit: the day of the purchase. budget: a period of the UTC calendar.
  period text not null check (period in ('DAY', 'WEEK', 'MONTH', 'LIFETIME')),
  starts_on date not null,
  -- use and code: 1. user_limit: the user's part of the reward. budget: commission. Minor units.
  amount bigint not null check (amount > 0),
  -- The commission that this allowance left for the purchase, where its terms would have given more.
  most_gross bigint check (most_gross > 0),
  code_id uuid references voucher_codes (code_id),
  check ((code_id is not null) = (kind = 'code')),
  primary key (user_id, transaction_id, kind, period),
  foreign key (user_id, publisher_id) references users (user_id, publisher_id)
);
-- One use of a one-time offer for each user, whatever races.
create unique index allowance_holds_one_use on allowance_holds (user_id, offer_uid) where kind = 'use';
create unique index allowance_holds_one_code on allowance_holds (user_id, code_id) where kind = 'code';
create index allowance_holds_of_offer on allowance_holds (user_id, offer_uid);

insert into allowance_holds (user_id, transaction_id, publisher_id, offer_uid, kind, period, starts_on, amount)
select user_id, transaction_id, publisher_id, offer_uid, 'use', 'LIFETIME', '1970-01-01', 1 from offer_uses;

insert into allowance_holds (user_id, transaction_id, publisher_id, offer_uid, kind, period, starts_on, amount, most_gross)
select r.user_id, r.transaction_id, r.publisher_id, r.offer_uid, 'budget', r.period, r.starts_on, r.amount, b.gross
from budget_reservations r
  left join reward_bounds b on b.user_id = r.user_id and b.transaction_id = r.transaction_id
    and b.reason = 'budget_exhausted' and b.gross > 0;

insert into allowance_holds (user_id, transaction_id, publisher_id, offer_uid, kind, period, starts_on, amount, code_id)
select user_id, transaction_id, publisher_id, offer_uid, 'code', 'LIFETIME', '1970-01-01', 1, code_id
from voucher_codes where transaction_id is not null;

insert into allowance_holds (user_id, transaction_id, publisher_id, offer_uid, kind, period, starts_on, amount, most_gross)
select t.user_id, t.transaction_id, t.publisher_id, t.offer_uid, 'user_limit', 'DAY',
  (t.authorized_at at time zone p.time_zone)::date, earned.reward, b.gross
from transactions t
  join publishers p using (publisher_id)
  join offers o on o.offer_uid = t.offer_uid and jsonb_array_length(coalesce(o.conditions -> 'userLimits', '[]')) > 0
  cross join lateral (
    select t.user_amount + t.user_discount + coalesce(sum(a.user_amount + a.user_discount), 0) as reward
    from transactions a where a.user_id = t.user_id and a.adjusts = t.transaction_id) as earned
  left join reward_bounds b on b.user_id = t.user_id and b.transaction_id = t.transaction_id
    and b.reason = 'user_limit_reached' and b.gross > 0
where t.adjusts is null and earned.reward > 0;

drop table offer_uses;
drop table budget_reservations;
drop table reward_bounds;
alter table voucher_codes drop column transaction_id;

-- Limits that apply to a purchase are part of its frozen terms.
update transactions t set terms = t.terms
  || case when o.conditions ? 'userLimits' then jsonb_build_object('userLimits', o.conditions -> 'userLimits') else '{}' end
  || case when o.conditions -> 'uniqueCodes' = 'true' then '{"uniqueCode": true}'::jsonb else '{}' end
from offers o
where o.offer_uid = t.terms ->> 'offerUid' and (o.conditions ? 'userLimits' or o.conditions ? 'uniqueCodes');
