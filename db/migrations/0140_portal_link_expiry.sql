-- Links of the portal that nobody used are dropped by age, which must not read those that are still valid.
create index concurrently portal_links_by_expiry on portal_links (expires_at);
