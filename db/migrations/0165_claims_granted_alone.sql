-- What one person has granted alone today is summed over all users of a publisher.
create index concurrently claims_granted_alone on claims (publisher_id, decided_by, decided_at)
where granted_event_is_new;
