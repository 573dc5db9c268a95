-- Whether users want marketing e-mail, as they said it: when, in which words, by which way. The latest counts;
-- earlier ones stay, because a publisher must be able to prove what a user agreed to.

create table marketing_choices (
  user_id uuid not null,
  -- Counts the choices of the user.
  version integer not null,
  publisher_id uuid not null,
  agreed boolean not null,
  -- What the user read, in this language.
  wording text not null,
  language text not null,
  via text not null check (via in ('portal', 'api')),
  chosen_at timestamptz not null,
  primary key (user_id, version),
  foreign key (user_id, publisher_id) references users (user_id, publisher_id)
);

-- Publishers send wordings of their own, which may name the user.
create function marketing_choices_are_kept() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE'
    and to_jsonb(new) - 'wording' = to_jsonb(old) - 'wording'
    and new.wording = 'erased'
    and exists (select from erasures where user_id = old.user_id and salt is not null)
  then
    return new;
  end if;
  raise exception 'choices are kept as they were made'
    using errcode = 'restrict_violation', constraint = 'marketing_choices_are_kept';
end $$;
create trigger marketing_choices_kept before update or delete on marketing_choices
  for each row execute function marketing_choices_are_kept();
