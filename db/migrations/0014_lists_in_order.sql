-- Operators page through the claims, adjustments, redemptions, payments and payout files of all publishers. Each order
-- has an index that starts with the conditions it serves, so that a page reads little more than it shows. These tables
-- are written rarely compared with transactions, so the indexes cost little.
create index concurrently all_claims_by_deadline on claims (status, deadline, claim_id);
create index concurrently all_claims_by_creation on claims (status, created_at, claim_id);
create index concurrently claims_by_deadline on claims (publisher_id, status, deadline, claim_id);
create index concurrently claims_by_status on claims (publisher_id, status, created_at, claim_id);
create index concurrently all_adjustments_by_creation on adjustments (created_at, adjustment_id);
create index concurrently all_adjustments_by_status on adjustments (status, created_at, adjustment_id);
create index concurrently adjustments_by_status on adjustments (publisher_id, status, created_at, adjustment_id);
create index concurrently all_redemptions_open on redemptions (status, created_at, redemption_id)
  where status in ('requested', 'approved', 'sent');
create index concurrently redemptions_open_by_creation on redemptions (publisher_id, status, created_at, redemption_id)
  where status in ('requested', 'approved', 'sent');
create index concurrently all_payments_by_creation on payments (created_at, payment_id);
create index concurrently all_payments_by_value_date on payments (value_date, payment_id);
create index concurrently all_payments_by_amount on payments (amount, payment_id);
create index concurrently payments_by_creation on payments (publisher_id, created_at, payment_id);
create index concurrently all_payments_by_reference on payments (external_ref);
create index concurrently all_payout_files_by_creation on payout_files (created_at, file_id);
-- The statements that used these use all_claims_by_deadline, adjustments_by_status and redemptions_open_by_creation.
drop index concurrently if exists claims_open;
drop index concurrently if exists adjustments_proposed;
drop index concurrently if exists redemptions_open;
