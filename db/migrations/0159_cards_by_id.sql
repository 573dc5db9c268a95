-- Operators look for a card by its id alone.
create index concurrently cards_by_id on cards (card_id);
