-- Operators list the users of all publishers by the time of their creation.
create index concurrently all_users_by_creation on users (created_at, user_id);
