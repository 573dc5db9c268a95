/** src/refusals.ts has the status and title of each. */
export type PortalRefusal = 'portal_slug_taken' | 'portal_setting_invalid'
