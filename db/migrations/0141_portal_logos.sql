-- A publisher's portal shows its logo and greets its users in its words. Adding columns without a default locks briefly.
alter table portals
  add column welcome text,
  -- PNG, JPEG or WebP in base64, which is how it arrives; served as an image of its own.
  add column logo text check (length(logo) <= 65536);
