/**
 * The life of a voucher code of a pool.
 *
 * A code is `free` until it is handed to a user, who then has it `assigned`. It is `reported` when a purchase of that
 * user that names it holds it, and `redeemed` once the purchase has cleared. A purchase that is undone, or that earns
 * nothing, does not use the code up: it is `returned`, and the user can use it again. A code that is neither reported nor
 * redeemed on its last day is `expired`.
 *
 *     free ──> assigned ──> reported ──> redeemed
 *       │         │  ^         │            │
 *       │         │  └──── returned <───────┘
 *       └─────────┴─────────> expired
 *
 * A code that another user than its own reports earns nothing (`voucher_code_mismatch`) and stays as it is.
 */
export const CODE_STATUSES = ['free', 'assigned', 'reported', 'redeemed', 'returned', 'expired'] as const
export type CodeStatus = (typeof CODE_STATUSES)[number]
