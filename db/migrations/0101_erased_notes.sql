-- Notes on claims stay as they were written, except that those on a user who was erased lose their text.
create function claim_notes_are_kept() returns trigger language plpgsql as $$
begin
  if to_jsonb(new) - 'text' = to_jsonb(old) - 'text'
    and new.text = 'erased'
    and exists (select from erasures where user_id = old.user_id and salt is not null)
  then
    return new;
  end if;
  raise exception 'notes are kept as they were written'
    using errcode = 'restrict_violation', constraint = 'claim_notes_are_kept';
end $$;
create trigger claim_notes_kept before update on claim_notes
  for each row execute function claim_notes_are_kept();
