-- A publisher keeps books in one or more currencies, and nothing converts between them. Limits are amounts, so each
-- currency has its own. publishers.currency is the one that is meant where none is named.
create table publisher_currencies (
  publisher_id uuid not null references publishers,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  redemption_minimum bigint not null check (redemption_minimum > 0),
  redemption_user_day_max bigint check (redemption_user_day_max >= 0),
  redemption_review_above bigint check (redemption_review_above >= 0),
  redemption_two_people_above bigint check (redemption_two_people_above >= 0),
  adjustment_alone_max bigint not null check (adjustment_alone_max >= 0),
  created_at timestamptz not null,
  primary key (publisher_id, currency)
);

insert into publisher_currencies (publisher_id, currency, redemption_minimum, redemption_user_day_max,
  redemption_review_above, redemption_two_people_above, adjustment_alone_max, created_at)
select publisher_id, currency, redemption_minimum, redemption_user_day_max, redemption_review_above,
  redemption_two_people_above, adjustment_alone_max, created_at
from publishers;

-- Processes of the version before read and write the limits of the first currency in publishers, whose columns a later
-- migration drops. What they write counts here, too; a limit that is changed here reaches them when they are replaced.
create function limits_of_the_first_currency() returns trigger language plpgsql as $$
begin
  -- One that comes from another installation brings its limits along.
  if tg_op = 'INSERT' and new.imported_at is not null then return null; end if;
  insert into publisher_currencies (publisher_id, currency, redemption_minimum, redemption_user_day_max,
    redemption_review_above, redemption_two_people_above, adjustment_alone_max, created_at)
  values (new.publisher_id, new.currency, new.redemption_minimum, new.redemption_user_day_max,
    new.redemption_review_above, new.redemption_two_people_above, new.adjustment_alone_max, new.created_at)
  on conflict (publisher_id, currency) do update set redemption_minimum = excluded.redemption_minimum,
    redemption_user_day_max = excluded.redemption_user_day_max,
    redemption_review_above = excluded.redemption_review_above,
    redemption_two_people_above = excluded.redemption_two_people_above,
    adjustment_alone_max = excluded.adjustment_alone_max;
  return null;
end $$;

create trigger limits_of_the_first_currency after insert or update of redemption_minimum, redemption_user_day_max,
  redemption_review_above, redemption_two_people_above, adjustment_alone_max on publishers
  for each row execute function limits_of_the_first_currency();
