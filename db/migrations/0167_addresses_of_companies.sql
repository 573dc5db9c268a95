-- Each company, a publisher or the operating company, has an address once, whatever others have invited it to.
create unique index concurrently accounts_of_companies on accounts (publisher_id, lower(email)) nulls not distinct
where kind <> 'user';
