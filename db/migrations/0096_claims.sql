-- A publisher or its user says that a purchase is missing, wrong or earned nothing; a person decides until a deadline.
alter table publishers add column claim_days integer not null default 30;
alter table publishers add column claim_default text not null default 'decline';

create table claims (
  user_id uuid not null,
  claim_id uuid not null,
  publisher_id uuid not null,
  external_ref text not null,
  input_hash bytea not null,
  kind text not null check (kind in ('missing', 'incorrect', 'declined', 'other')),
  opened_by text not null check (opened_by in ('publisher', 'user')),
  transaction_id uuid,
  brand_uid text,
  offer_uid text,
  purchase_date date,
  amount bigint check (amount > 0),
  currency text check (currency ~ '^[A-Z]{3}$'),
  order_id text,
  merchant text,
  status text not null check (status in ('open', 'granted', 'declined', 'withdrawn')),
  reason text,
  reason_text text,
  adjustment_id uuid,
  granted_transaction_id uuid,
  decided_by text,
  deadline timestamptz not null,
  version integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  decided_at timestamptz,
  primary key (user_id, claim_id),
  constraint claims_external_ref unique (user_id, external_ref),
  constraint claims_amount_has_currency check ((amount is null) = (currency is null)),
  constraint claims_name_a_transaction check (kind not in ('incorrect', 'declined') or transaction_id is not null),
  constraint claims_decided_by_somebody check (
    (status = 'open') = (decided_at is null) and (status = 'open') = (decided_by is null)
  ),
  constraint claims_declined_with_reason check ((status = 'declined') = (reason is not null)),
  constraint claims_granted_by_one_way check (
    case status
      when 'granted' then num_nonnulls(adjustment_id, granted_transaction_id) = 1
      when 'open' then granted_transaction_id is null
      else adjustment_id is null and granted_transaction_id is null
    end
  ),
  foreign key (user_id, publisher_id) references users (user_id, publisher_id),
  foreign key (user_id, adjustment_id) references adjustments (user_id, adjustment_id)
);

create index claims_by_id on claims (claim_id);
create index claims_by_time on claims (publisher_id, created_at, claim_id);
create index claims_open on claims (deadline, claim_id) where status = 'open';
create index claims_due on claims (publisher_id, deadline) where status = 'open' and adjustment_id is null;
create index claims_of_adjustment on claims (user_id, adjustment_id) where adjustment_id is not null;

create table claim_notes (
  user_id uuid not null,
  note_id uuid not null,
  claim_id uuid not null,
  publisher_id uuid not null,
  author text not null,
  text text not null,
  at timestamptz not null,
  primary key (user_id, note_id),
  foreign key (user_id, claim_id) references claims (user_id, claim_id)
);

create index claim_notes_of_claim on claim_notes (user_id, claim_id, note_id);
