-- Counting a publisher's transactions of some days or of one status took seconds at ten million rows, so they are
-- counted by UTC day and status as they are written. The list as a whole is the sum.
delete from list_count_deltas where list = 'transactions';
delete from list_counts where list = 'transactions';
insert into list_counts (publisher_id, list, total)
select publisher_id, 'transactions/' || to_char(authorized_at at time zone 'UTC', 'YYYY-MM-DD') || '/' || status, count(*)
from transactions
group by 1, 2;
