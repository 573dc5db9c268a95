import type { UserAmounts, UserJournalKind } from '../../ledger/index.ts'

/** The subject of one kind of journal, and the text of its line in a user's statement. */
type Wording = {
  readonly about: 'transaction' | 'redemption' | null
  /** @param purchase a phrase such as `a purchase at Corner Market` */
  readonly sentence: (changes: UserAmounts, purchase: string) => string
}

/** The wording for every kind of journal that touches the user's accounts. */
export const WORDINGS: Readonly<Record<UserJournalKind, Wording>> = {
  accrual: {
    about: 'transaction',
    sentence: ({ pending }, purchase) =>
      pending >= 0n ? `Cashback from ${purchase}` : `Cashback from ${purchase} reduced after a refund or correction`,
  },
  maturity: {
    about: 'transaction',
    sentence: ({ available, debt }, purchase) => {
      if (debt === 0n) return `Cashback from ${purchase} became available`
      return available === 0n
        ? `Cashback from ${purchase} repaid part of what was owed`
        : `Cashback from ${purchase} became available, less what was owed`
    },
  },
  clawback: {
    about: 'transaction',
    sentence: ({ available, debt }, purchase) => {
      if (available - debt > 0n) return `Cashback from ${purchase} corrected`
      return debt > 0n
        ? `Cashback from ${purchase} taken back; the part already spent is owed`
        : `Cashback from ${purchase} taken back`
    },
  },
  redemption_hold: { about: 'redemption', sentence: () => 'Set aside for a redemption' },
  redemption_paid: { about: 'redemption', sentence: () => 'Redemption paid out' },
  redemption_released: {
    about: 'redemption',
    sentence: ({ debt }) => `Redemption not paid out; money available again${lessDebt(debt)}`,
  },
  redemption_returned: {
    about: 'redemption',
    sentence: ({ debt }) => `Payout returned; money available again${lessDebt(debt)}`,
  },
  adjustment: {
    about: null,
    sentence: ({ available, debt }) =>
      available - debt > 0n ? `Added manually${lessDebt(debt)}` : 'Taken back manually',
  },
  write_off: { about: null, sentence: () => 'Debt written off' },
}

function lessDebt(debt: bigint): string {
  return debt < 0n ? ', less what was owed' : ''
}

/** Returns a phrase for a purchase whose shop may be unknown. */
export function describePurchaseAt(shop: string | null | undefined): string {
  return shop === null || shop === undefined || shop === '' ? 'a purchase' : `a purchase at ${shop}`
}
