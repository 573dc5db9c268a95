import type { Role } from '../accounts/index.ts'

/**
 * The roles that have each permission, besides admin, which has them all. Operations declare the permission they
 * require, and people can see their own permissions, so only this table decides what anyone may do.
 */
const GRANTS = {
  'adjustments:read': ['finance', 'support', 'read-only'],
  'adjustments:request': ['finance', 'support'],
  'adjustments:decide': ['finance'],
  'assortments:read': ['catalog', 'support', 'read-only'],
  'assortments:change': ['catalog'],
  'audit:read': ['read-only'],
  // Covers lists of offers, their versions and their budgets.
  'catalog:read': ['catalog', 'finance', 'support', 'read-only'],
  'catalog:export': ['catalog', 'read-only'],
  'catalog:change': ['catalog'],
  'claims:read': ['finance', 'support', 'read-only'],
  'claims:decide': ['finance', 'support'],
  'contradictions:read': ['finance', 'support', 'read-only'],
  'contradictions:acknowledge': ['finance'],
  'facts:read': ['catalog', 'support', 'read-only'],
  'facts:retry': ['catalog'],
  'gift-cards:read': ['finance', 'support', 'read-only'],
  'gift-cards:decide': ['finance'],
  // Covers the scopes and allowed addresses of keys. The keys themselves are not stored anywhere.
  'keys:read': ['support', 'read-only'],
  'keys:change': [],
  'ledger:read': ['finance', 'support', 'read-only'],
  // Covers totals of money, purchases and deliveries, but no data about individuals.
  'overview:read': ['catalog', 'finance', 'support', 'read-only'],
  'payments:read': ['finance', 'support', 'read-only'],
  'payments:record': ['finance'],
  // A payout file contains account numbers, so downloading its content requires a separate permission.
  'payout-files:read': ['finance', 'support', 'read-only'],
  'payout-files:make': ['finance'],
  'payout-files:settle': ['finance'],
  'postbacks:read': ['catalog', 'support', 'read-only'],
  'postbacks:decide': ['catalog', 'support'],
  'publishers:read': ['catalog', 'finance', 'support', 'read-only'],
  'publishers:change': [],
  'redemptions:read': ['finance', 'support', 'read-only'],
  'redemptions:decide': ['finance'],
  'refunds:read': ['catalog', 'support', 'read-only'],
  'refunds:decide': ['catalog', 'support'],
  'rematches:read': ['catalog', 'support', 'read-only'],
  'rematches:run': ['catalog'],
  'reviews:read': ['catalog', 'support', 'read-only'],
  'reviews:decide': ['catalog'],
  // Search finds only what the role may already read.
  'search:read': ['catalog', 'finance', 'support', 'read-only'],
  'staff:read': ['read-only'],
  'staff:change': [],
  'statements:read': ['finance', 'support', 'read-only'],
  'statements:close': ['finance'],
  'terms:read': ['support', 'read-only'],
  'terms:publish': [],
  'transactions:read': ['catalog', 'finance', 'support', 'read-only'],
  'users:read': ['finance', 'support', 'read-only'],
  'vouchers:read': ['catalog', 'support', 'read-only'],
  'webhooks:read': ['support', 'read-only'],
} satisfies Readonly<Record<string, readonly Role[]>>

export type Permission = keyof typeof GRANTS
export const PERMISSIONS = Object.keys(GRANTS) as readonly Permission[]

export function listRolesWith(permission: Permission): readonly Role[] {
  return ['admin', ...GRANTS[permission]]
}

/** Returns the permissions of a role, in table order. */
export function getPermissions(role: Role): readonly Permission[] {
  return PERMISSIONS.filter((permission) => listRolesWith(permission).includes(role))
}
