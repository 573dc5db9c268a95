-- The users' front end: each publisher's branding of it, and the links by which users enter.

create table portals (
  publisher_id uuid primary key references publishers,
  -- Part of its address.
  slug text not null unique check (slug ~ '^[a-z0-9][a-z0-9-]{1,62}$'),
  -- Null means the publisher's own name.
  shown_name text,
  -- The color. Its lightness, and with it the contrast, is computed.
  hue real not null check (hue >= 0 and hue < 360),
  chroma real not null check (chroma between 0 and 0.37),
  -- Origins of the pages that may embed it in a frame.
  frame_ancestors text[] not null,
  updated_at timestamptz not null,
  welcome text,
  -- PNG, JPEG or WebP in base64, which is how it arrives. Served as a separate image.
  logo text check (length(logo) <= 65536),
  -- Users may sign in with an e-mail address and a password.
  allows_accounts boolean not null default false
);

-- Links that publishers requested. Each opens one session, and is deleted when it does.
create table portal_links (
  -- The token itself is only in the link.
  sha256 bytea primary key check (length(sha256) = 32),
  publisher_id uuid not null references publishers,
  user_id uuid not null,
  -- The page that the link opens, below the portal's address.
  return_path text not null,
  expires_at timestamptz not null
);
create index portal_links_of_users on portal_links (user_id);
create index portal_links_by_expiry on portal_links (expires_at);
