-- Which offers are used up is asked every second, of the budgets of one day: with a year of daily budgets behind it, that
-- look read all of them.
create index offer_budgets_of_a_day on offer_budgets (starts_on, period);
