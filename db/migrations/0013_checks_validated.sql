-- Validates the constraints that databases from before the baseline were given without validation, so as not to block
-- writes. In a new database there is nothing to check.
alter table journals validate constraint journals_kind_check;
alter table journals validate constraint journals_accounts_check;
alter table operators validate constraint operators_role_check;
alter table redemptions validate constraint redemptions_method_check;
alter table redemptions validate constraint redemptions_offer_of_gift_card;
