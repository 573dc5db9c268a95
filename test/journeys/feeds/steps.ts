import fc from 'fast-check'

/** One event that affects a user's cards. `pick` selects its subject, and `size` is an amount or a count. */
export type Step = { readonly act: Act; readonly pick: number; readonly size: number }

const ACTS = {
  buy: 8,
  hold: 8,
  post: 5,
  'post with a tip': 2,
  'post unlinked': 3,
  'post unlinked with a tip': 2,
  'post before the hold goes': 2,
  'drop the hold': 2,
  'post what was dropped': 3,
  void: 1,
  refund: 3,
  'refund in part': 3,
  remove: 2,
  'bring back': 2,
  change: 2,
  'break the login': 2,
  'repair the login': 2,
  revoke: 1,
  'link again': 2,
  'change all ids': 1,
  'forget the cursors': 1,
  freeze: 1,
  thaw: 2,
  fail: 6,
  'tell again': 1,
  read: 1,
} as const
type Act = keyof typeof ACTS

const step = fc.record({
  act: fc.oneof(...Object.entries(ACTS).map(([act, weight]) => ({ arbitrary: fc.constant(act as Act), weight }))),
  pick: fc.nat(99),
  size: fc.nat(99),
})

/** Steps before and after all rewards are earned. The same seed generates the same histories. */
export type History = { readonly before: readonly Step[]; readonly after: readonly Step[] }

export function generateHistories(seed: number, count: number): History[] {
  const history = fc.record({
    before: fc.array(step, { minLength: 6, maxLength: 24 }),
    after: fc.array(step, { minLength: 0, maxLength: 6 }),
  })
  return fc.sample(history, { seed, numRuns: count })
}
