-- Whether the event that granted a claim was reported by whoever granted it. What such a purchase earns counts in what
-- that person gives alone; what was reported before has earned by itself. Processes of the version before leave it false,
-- so what a person grants by them is not counted on that day.
alter table claims add column granted_event_is_new boolean not null default false;
