-- Available cashback can buy a gift card: a further way of paying out, which names the offer of the card.
alter table redemptions add column offer_uid text;
alter table redemptions drop constraint redemptions_method_check;
alter table redemptions add constraint redemptions_method_check
  check (method in ('publisher', 'file', 'simulated', 'gift_card')) not valid;
alter table redemptions add constraint redemptions_offer_of_gift_card
  check ((method = 'gift_card') = (offer_uid is not null)) not valid;

update publishers set redemption_methods = array_append(redemption_methods, 'gift_card')
where environment = 'sandbox' and not redemption_methods @> '{gift_card}';
