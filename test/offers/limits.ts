import { noLimitFacts } from '../../src/catalog/offers/index.ts'
import type { Chapter } from './row.ts'

const threeUses = { userLimits: [{ period: 'MONTH', uses: 3, reward: null }] } as const
const tenDollars = { userLimits: [{ period: 'DAY', uses: null, reward: 1_000n }] } as const
const pool = { offerType: 'VOUCHER_CODE', conditions: { uniqueCodes: true } } as const

export const LIMITS: Chapter = {
  title: 'Activation, user limits and pool codes',
  text: 'An offer that must be activated applies to purchases made after the activation. User limits apply per day, week, month or lifetime. A purchase that earns nothing takes no allowances, so a full refund frees them for the next purchase. The last purchase within a reward limit earns what remains of the limit. Pool codes are handed out one at a time, each for one user and one purchase.',
  rows: [
    {
      title: 'an activated offer',
      offer: { conditions: { activationRequired: true } },
      user: { limits: { ...noLimitFacts, isActivated: true } },
      expected: { user: 250n },
    },
    {
      title: 'not activated, or only after the purchase',
      offer: { conditions: { activationRequired: true } },
      expected: 'not_activated',
    },
    { title: 'the first of three uses', offer: { conditions: threeUses }, expected: { user: 250n } },
    {
      title: 'the third of three uses',
      offer: { conditions: threeUses },
      user: { limits: { ...noLimitFacts, taken: new Map([['MONTH', { uses: 2, reward: 500n }]]) } },
      expected: { user: 250n },
    },
    {
      title: 'a fourth use of three',
      offer: { conditions: threeUses },
      user: { limits: { ...noLimitFacts, taken: new Map([['MONTH', { uses: 3, reward: 750n }]]) } },
      expected: 'user_limit_reached',
    },
    {
      title: 'enough of the reward limit remains, however often the offer was used',
      offer: { conditions: tenDollars },
      user: { limits: { ...noLimitFacts, taken: new Map([['DAY', { uses: 4, reward: 750n }]]) } },
      expected: { user: 250n },
    },
    {
      title: 'nothing of the reward limit remains',
      offer: { conditions: tenDollars },
      user: { limits: { ...noLimitFacts, taken: new Map([['DAY', { uses: 4, reward: 1_000n }]]) } },
      expected: 'user_limit_reached',
    },
    {
      title: 'the user’s own code',
      offer: pool,
      purchase: { source: 'VOUCHER' },
      user: { limits: { ...noLimitFacts, code: 'own' } },
      expected: { user: 250n },
    },
    {
      title: 'the user’s own code with a card purchase',
      offer: pool,
      user: { limits: { ...noLimitFacts, code: 'own' } },
      expected: { user: 250n },
    },
    {
      title: 'a code that was already used',
      offer: pool,
      purchase: { source: 'VOUCHER' },
      user: { limits: { ...noLimitFacts, code: 'used' } },
      expected: 'voucher_code_used',
    },
    {
      title: 'another user’s code',
      offer: pool,
      purchase: { source: 'VOUCHER' },
      user: { limits: { ...noLimitFacts, code: 'not handed to this user' } },
      expected: 'voucher_code_mismatch',
    },
  ],
}
