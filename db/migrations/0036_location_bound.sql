-- A purchase whose store is not confirmed waits for 60 days, then it is cancelled with that reason.
update transactions set lapses_at = least(lapses_at, authorized_at + interval '60 days')
where status = 'PENDING' and status_reason = 'location_unconfirmed';
