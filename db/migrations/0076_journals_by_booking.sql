-- Closing a month reads what was booked since the last one, which lies together at the end of the table. Such an index takes a
-- few bytes for each megabyte of journals.
create index concurrently journals_by_booking on journals using brin (created_at);
