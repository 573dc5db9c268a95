-- An invitation that nobody has accepted must not take an address, nor tell another company that somebody has it.
-- 0166 and 0167 replace this index. Processes of the version before answer 500 to an invitation until they are replaced,
-- and store nothing: they name the index, and no other could stand for it. Nothing else of theirs uses it to write.
drop index accounts_at_console;
