-- Users leave: what identifies them is erased, and the ledger stays under their id.

create table erasures (
  user_id uuid not null,
  erasure_id uuid not null,
  publisher_id uuid not null,
  -- Takes the place of the publisher's identifier of the user.
  pseudonym text not null,
  requested_at timestamptz not null,
  requested_by text not null,
  -- In real time, whatever the clock of a sandbox says.
  recorded_at timestamptz not null default now(),
  due_at timestamptz not null default now(),
  -- Null until references are replaced; from then on late reports are replaced in the same way.
  salt bytea,
  counts jsonb not null default '{}',
  done_at timestamptz,
  sha256 bytea,
  primary key (user_id),
  foreign key (user_id, publisher_id) references users (user_id, publisher_id),
  check ((done_at is null) = (sha256 is null))
);
create index erasures_by_id on erasures (erasure_id);
create index erasures_due on erasures (due_at) where done_at is null;

-- What takes the place of a reference: the same for the same reference of a user, and itself for what was replaced.
create function erased_reference(salt bytea, reference text) returns text language sql immutable as $$
  select case
    when reference like 'erased-%' then reference
    else 'erased-' || substr(encode(sha256(salt || convert_to(reference, 'UTF8')), 'hex'), 1, 32)
  end
$$;

-- Source events are kept as they came, except that what identifies an erased user is taken out of them.
create or replace function source_events_are_kept() returns trigger language plpgsql as $$
begin
  if tg_level = 'ROW' and tg_op = 'UPDATE' then
    if (new.user_id, new.event_id, new.publisher_id, new.source, new.kind, new.amount, new.currency, new.occurred_at,
        new.received_at)
      = (old.user_id, old.event_id, old.publisher_id, old.source, old.kind, old.amount, old.currency, old.occurred_at,
        old.received_at)
      and new.external_id like '%erased-%'
      and (new.original_external_id is null) = (old.original_external_id is null)
      and coalesce(new.original_external_id like '%erased-%', true)
      and new.input_hash = '\x00000000000000000000000000000000'
      and new.facts @> '{"isErased": true}'
      and not new.facts ?| array[
        'merchantId', 'providerMerchantId', 'merchantDescriptor', 'merchantName', 'website', 'storeNumber', 'street', 'city',
        'state', 'zipCode', 'latitude', 'longitude', 'voucherCode'
      ]
      and exists (select from erasures where user_id = old.user_id and salt is not null)
    then
      return new;
    end if;
  end if;
  raise exception 'source events are kept as they came: report an amendment instead'
    using errcode = 'restrict_violation', constraint = 'source_events_are_kept';
end $$;
drop trigger source_events_kept on source_events;
create trigger source_events_kept before delete or truncate on source_events
  for each statement execute function source_events_are_kept();
create trigger source_events_kept_rows
  before update of user_id, event_id, publisher_id, source, external_id, kind, original_external_id, amount, currency,
    occurred_at, received_at, input_hash, facts
  on source_events
  for each row execute function source_events_are_kept();

-- The same for what networks reported of the user.
create or replace function postbacks_are_immutable() returns trigger language plpgsql as $$
begin
  if tg_level = 'ROW' and tg_op = 'UPDATE' then
    if to_jsonb(new) - array['content', 'order_id', 'transaction_id', 'report_id']
      = to_jsonb(old) - array['content', 'order_id', 'transaction_id', 'report_id']
      and new.content = '{}'
      and (select every(reference is null or reference like 'erased-%')
        from unnest(array[new.order_id, new.transaction_id, new.report_id]) as reference)
      and exists (
        select from erasures e
        where e.salt is not null
          and (e.user_id = old.user_id
            or e.user_id = (select s.user_id from sub_ids s where s.sub_id = lower(old.sub_id))
            or e.user_id in (
              select s.user_id from postback_answers a join sub_ids s on s.sub_id = a.click_sub_id
              where a.postback_id = old.postback_id
            ))
      )
    then
      return new;
    end if;
  end if;
  raise exception 'postbacks are kept as they came'
    using errcode = 'restrict_violation', constraint = 'postbacks_are_immutable';
end $$;
drop trigger postbacks_immutable on postbacks;
create trigger postbacks_immutable before delete or truncate on postbacks
  for each statement execute function postbacks_are_immutable();
create trigger postbacks_immutable_rows before update on postbacks
  for each row execute function postbacks_are_immutable();

-- Entries of the audit log keep who did what and when; texts about an erased user are taken out.
create or replace function audit_is_append_only() returns trigger language plpgsql as $$
begin
  if tg_level = 'ROW' and tg_op = 'UPDATE' then
    if to_jsonb(new) - array['before', 'after'] = to_jsonb(old) - array['before', 'after']
      and new.before is null
      and new.after @> '{"erased": true}'
      and coalesce(old.after, '{}') @> (new.after - 'erased')
      and not new.after ?| array['reason', 'publisher_user_id', 'text', 'external_id']
    then
      return new;
    end if;
  end if;
  raise exception 'what was done is not changed: add a new entry'
    using errcode = 'restrict_violation', constraint = 'audit_is_append_only';
end $$;
drop trigger audit_append_only on audit_log;
create trigger audit_append_only before delete or truncate on audit_log
  for each statement execute function audit_is_append_only();
create trigger audit_append_only_rows before update on audit_log
  for each row execute function audit_is_append_only();
