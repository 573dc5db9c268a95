/**
 * The life cycle of a voucher code from a pool.
 *
 * A code is `free` until it is handed to a user, which makes it `assigned`. It is `reported` while held by a purchase
 * of that user that references it, and `redeemed` once that purchase has cleared. A purchase that is undone or earns
 * nothing does not use up the code: it is `returned`, and the user can use it again. A code that is neither reported
 * nor redeemed by the end of its last day is `expired`.
 *
 *     free ──> assigned ──> reported ──> redeemed
 *       │         │  ^         │            │
 *       │         │  └──── returned <───────┘
 *       └─────────┴─────────> expired
 *
 * A code reported by a user other than its own earns nothing (`voucher_code_mismatch`) and stays as it is.
 */
export const CODE_STATUSES = ['free', 'assigned', 'reported', 'redeemed', 'returned', 'expired'] as const
export type CodeStatus = (typeof CODE_STATUSES)[number]
