-- Terms bind the users of one publisher, or those of every publisher without terms of its own. When a revision becomes
-- required, users who have not accepted it become PENDING; a rollout tells each of their publishers, batch by batch.

alter table terms_documents
  add column publisher_id uuid references publishers,
  drop constraint terms_documents_revision_unique,
  add constraint terms_documents_revision_unique unique nulls not distinct (publisher_id, revision);

create table terms_rollouts (
  publisher_id uuid not null references publishers,
  document_id integer not null references terms_documents,
  required_from timestamptz not null,
  -- The last user of the last batch, in the order of their creation.
  after_created_at timestamptz,
  after_user uuid,
  primary key (publisher_id, document_id)
);
insert into terms_rollouts (publisher_id, document_id, required_from)
select p.publisher_id, d.document_id, d.required_from
from publishers p cross join terms_documents d
where d.required_from > now();
