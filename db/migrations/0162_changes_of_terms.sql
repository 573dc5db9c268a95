-- What changed in a revision of the terms, a sentence per language, so that users need not compare two documents.
alter table terms_documents add column changes jsonb not null default '{}';
