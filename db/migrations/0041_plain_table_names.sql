-- Tables are named by the words of the glossary. All processes are stopped for this upgrade (0040 asks for it, too).
alter table webhook_lanes rename to webhook_queues;
alter table webhook_queues rename constraint webhook_lanes_pkey to webhook_queues_pkey;
alter table webhook_queues rename constraint webhook_lanes_lease to webhook_queues_lease;
alter index webhook_lanes_due rename to webhook_queues_due;

alter table tallies rename to list_counts;
alter table list_counts rename constraint tallies_pkey to list_counts_pkey;
alter table tally_deltas rename to list_count_deltas;

alter table told_duplicates rename to announced_duplicates;
alter table announced_duplicates rename column told_on to announced_on;
alter table announced_duplicates rename constraint
  told_duplicates_user_id_institution_id_name_mask_subtype_key to announced_duplicates_key;
alter table announced_duplicates rename constraint
  told_duplicates_user_id_publisher_id_fkey to announced_duplicates_user_id_publisher_id_fkey;

-- Its successor is provider_pacing.
drop table provider_turns;
