-- Traces and the data of events are stored without the names of their members (src/platform/packed-json.ts), as the text
-- that they are. Rows of before keep theirs.
alter table decisions alter column trace type json using trace::json;
-- Processes of before would deliver the stored form as it is; by another name they cannot read it.
alter table events rename column data to stored_data;
