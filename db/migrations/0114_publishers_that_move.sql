-- Each statement that books or announces something asks whether a publisher has moved; almost always none has.
create index concurrently publishers_moving on publishers (publisher_id) where moves_at is not null;
