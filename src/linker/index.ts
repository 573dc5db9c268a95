/**
 * Linker: link tokens, the provider's items behind linked cards, their sealed tokens, and the feeds of their
 * transactions. Promises that no plain token is stored, logged or told, that each row of a feed becomes a source event
 * once, and that an item is never left behind at the provider without its token.
 */
export type { LinkerDeps } from './deps.ts'
export type { LinkerRefusal } from './errors.ts'
export { linkerLoops, syncPublisher } from './jobs.ts'
export { openProvider } from './open.ts'
export { dismissOrphan, listOrphans, type Orphan, resolveOrphan } from './orphans.ts'
export { canReach } from './plaid/api.ts'
export { openPlaid, type PlaidOptions } from './plaid/provider.ts'
export type { Provider } from './provider.ts'
export { findAccount, removeAccount, type ShownAccount, setAccount } from './provider-accounts.ts'
export { linkerPublicRoutes } from './public-routes.ts'
export { type Replaced, replaceTokens } from './replace-tokens.ts'
export { rescan } from './rescan.ts'
export { linkerRoutes } from './routes.ts'
export { fingerprintOf, sealToken } from './tokens.ts'
export { unlinkUser } from './unlink.ts'
