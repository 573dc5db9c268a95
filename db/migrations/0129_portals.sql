-- Publishers give their users a ready front end: how it looks, and the links by which users come in.

create table portals (
  publisher_id uuid primary key references publishers,
  -- The part of its address.
  slug text not null unique check (slug ~ '^[a-z0-9][a-z0-9-]{1,62}$'),
  -- Null: the publisher's own name.
  shown_name text,
  -- The colour; lightness, and with it the contrast, is computed.
  hue real not null check (hue >= 0 and hue < 360),
  chroma real not null check (chroma between 0 and 0.37),
  -- The origins of pages that may show it in a frame.
  frame_ancestors text[] not null,
  updated_at timestamptz not null
);

-- Links that publishers asked for. Each opens one session, so it is deleted when it is used.
create table portal_links (
  -- The token itself is in the link alone.
  sha256 bytea primary key check (length(sha256) = 32),
  publisher_id uuid not null references publishers,
  user_id uuid not null,
  -- Where the user is taken, below the address of the portal.
  return_path text not null,
  expires_at timestamptz not null
);
create index portal_links_of_users on portal_links (user_id);
