-- A hold that earned nothing lapses as well: without a clearing it does not make its user a customer.
update transactions
set lapses_at = authorized_at + case source when 'AFFILIATE' then interval '120 days' else interval '10 days' end
where status = 'CANCELLED' and adjusts is null and cleared_on is null and lapses_at is null
  and status_reason not in ('refunded', 'reversed', 'declined', 'authorization_expired', 'original_unknown', 'merged');
