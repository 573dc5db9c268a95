-- A publisher with affiliate links, gift cards or vouchers alone needs no linking provider, so the service starts
-- without one for its environment.

alter table publishers add column links_cards boolean not null default true;
