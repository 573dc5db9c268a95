-- Users and the facts their account status is derived from: accepted terms and deactivations, each with its time.

create table users (
  -- UUIDv8 of SHA-256 (publisher_id, publisher_user_id): the key itself makes publisher_user_id unique in a publisher.
  user_id uuid primary key,
  publisher_id uuid not null references publishers,
  publisher_user_id text not null check (length(publisher_user_id) between 1 and 255),
  email text,
  primary_zip_code text,
  attributes text,
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint users_belong_to_one_publisher unique (user_id, publisher_id)
);
create index users_by_creation on users (publisher_id, created_at, user_id);
create index users_by_update on users (publisher_id, updated_at, user_id);
create index users_by_publisher_user_id on users (publisher_id, publisher_user_id);
create index users_by_email on users (publisher_id, lower(email), user_id);

create table user_deactivations (
  user_id uuid not null,
  deactivated_at timestamptz not null,
  publisher_id uuid not null,
  reactivated_at timestamptz,
  primary key (user_id, deactivated_at),
  foreign key (user_id, publisher_id) references users (user_id, publisher_id)
);
-- A user is deactivated once at a time.
create unique index user_deactivations_one_open on user_deactivations (user_id) where reactivated_at is null;

-- Terms are the operator's, the same for every publisher.
create table terms_documents (
  document_id integer generated always as identity primary key,
  url text not null,
  revision text not null,
  required_from timestamptz not null,
  published_at timestamptz not null,
  constraint terms_documents_revision_unique unique (revision)
);

create table terms_acceptances (
  user_id uuid not null,
  document_id integer not null references terms_documents,
  accepted_at timestamptz not null,
  publisher_id uuid not null,
  primary key (user_id, document_id, accepted_at),
  foreign key (user_id, publisher_id) references users (user_id, publisher_id)
);
