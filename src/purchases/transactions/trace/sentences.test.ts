import assert from 'node:assert/strict'
import { test } from 'node:test'
import { STATUS_REASONS, type StatusReason } from '../rewards/statuses.ts'
import { SENTENCES } from './sentences.ts'

const line = (value: string | null, bound: string | null) => ({ rule: 'any', value, bound, passed: false })

const CASES: readonly [StatusReason, value: string | null, bound: string | null, sentence: string][] = [
  ['offer_ended', '2026-05-03', '2026-05-01', 'Bought on May 3; this offer ended on May 1.'],
  ['offer_ended', '2027-01-02', '2026-12-31', 'Bought on January 2, 2027; this offer ended on December 31, 2026.'],
  ['offer_not_started', '2026-05-03', '2026-06-01', 'Bought on May 3; this offer began on June 1.'],
  ['outside_days', 'TUE', 'FRI', 'This offer is valid on Fridays.'],
  ['outside_days', 'TUE', 'FRI, SAT, SUN', 'This offer is valid on Fridays, Saturdays and Sundays.'],
  ['outside_hours', '12:00', '22:00–02:00', 'This offer is valid from 22:00 to 02:00.'],
  ['below_min_spend', '15.00', '1020.50', 'You spent $15.00, but this offer requires at least $1,020.50.'],
  ['denomination_mismatch', '30.00', '25.00, 50.00', 'This offer is for gift cards of $25.00 or $50.00.'],
  ['channel_not_eligible', 'IN_STORE', 'ONLINE', 'This offer is for online purchases.'],
  ['channel_not_eligible', 'ONLINE', 'IN_STORE', 'This offer is for in-store purchases.'],
]

for (const [reason, value, bound, sentence] of CASES)
  test(`the sentence for ${reason}: ${sentence}`, () => {
    assert.equal(SENTENCES[reason](line(value, bound), 'USD'), sentence)
  })

test('each reason has its own sentence, even without a rule, and reveals nothing confidential', () => {
  // The user must not see values from rules about other purchases, codes or places.
  const secret = line('secret', null)
  const sentences = STATUS_REASONS.map((reason) => SENTENCES[reason](null, 'USD'))
  assert.equal(new Set(sentences).size, STATUS_REASONS.length)
  for (const reason of STATUS_REASONS)
    for (const reported of [SENTENCES[reason](null, 'USD'), SENTENCES[reason](secret, 'USD')]) {
      assert.match(reported, /^[A-Z][^_]+\.$/)
      assert.doesNotMatch(reported, /secret|null|undefined|fee|share|commission|publisher/)
    }
})

test('amounts are formatted for their currency', () => {
  assert.equal(
    SENTENCES.below_min_spend(line('1500', '2000'), 'JPY'),
    'You spent ¥1,500, but this offer requires at least ¥2,000.',
  )
})
