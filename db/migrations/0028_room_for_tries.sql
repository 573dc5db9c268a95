-- A page of lanes or deliveries had room for a second version of four rows in ten only. The others moved to another page
-- when they were claimed or tried, and wrote to every index of their table again. As each row is changed at least once,
-- soon after it was made and together with its neighbours, a page now keeps room for all of them. It takes no more of a
-- disk: moved rows and their index entries took as much. Pages that exist stay as they are.
alter table webhook_lanes set (fillfactor = 40);
alter table webhook_deliveries set (fillfactor = 45);
