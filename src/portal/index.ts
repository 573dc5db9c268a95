/**
 * Portal: the users' front end, as pages, and how each publisher's looks. Promises that a user sees only what is theirs,
 * that a link opens one session, and that whatever users, publishers and brands are called is shown as text.
 */
export type { PortalRefusal } from './errors.ts'
export { sendPortalMails } from './mails.ts'
export { portalPages } from './page-routes.ts'
export { retainedLinks } from './queries.ts'
export { portalRoutes } from './routes.ts'
