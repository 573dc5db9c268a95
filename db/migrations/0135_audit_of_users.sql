-- What people change for a publisher is audited with what it was before and after, so an erasure of a user looks for
-- the entries that are about them.
create index concurrently audit_log_of_users on audit_log ((after ->> 'svc_user_id')) where after ? 'svc_user_id';
