/**
 * Portal: the users' front end as web pages, with each publisher's branding. Guarantees that users see only their own
 * data, that a link opens a single session, and that the names of users, publishers and brands are always rendered as
 * plain text.
 */
export type { PortalRefusal } from './errors.ts'
export { createPortalMails } from './mails.ts'
export { portalPages } from './page-routes.ts'
export { retainedLinks } from './queries.ts'
export { portalRoutes } from './routes.ts'
