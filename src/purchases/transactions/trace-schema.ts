import Type, { type Static } from 'typebox'
import type { BoundedArithmetic } from '../../catalog/offers/index.ts'
import { enumField, named, namedObject, nullable, strictObject } from '../../platform/http/index.ts'

const CHOSEN_BY = ['only_eligible', 'user_reward', 'publisher_share', 'age'] as const
const STEPS = ['spent', 'returned', 'counted', 'rate', 'limited', 'reward'] as const

// Optional properties may be missing from traces stored by earlier versions.
const CandidateSchema = namedObject('DecisionCandidate', {
  offer_uid: Type.String(),
  offer_name: Type.Optional(
    Type.String({
      description: 'Current name of the offer. Only in the response of `GET /transactions/{…}/decision`.',
    }),
  ),
  offer_version: Type.Optional(Type.Integer()),
  eligible: Type.Boolean(),
  status_reason: Type.Optional(nullable(Type.String({ description: 'Reason for the first failed rule.' }))),
  rules: Type.Array(
    Type.Object({
      rule: Type.String(),
      value: nullable(Type.String()),
      bound: nullable(Type.String()),
      passed: Type.Boolean(),
    }),
  ),
  user_cashback: Type.Number(),
  would_earn: Type.Optional(
    nullable(
      Type.Number({
        description:
          "What the user would earn if every rule had passed, or null if the purchase is not in the offer's currency.",
      }),
    ),
  ),
  would_share: Type.Optional(
    nullable(
      Type.Number({
        description: 'What the publisher would earn if every rule had passed. Null in the same cases as would_earn.',
      }),
    ),
  ),
})

const MatchingSchema = namedObject('BrandMatch', {
  brand_uid: nullable(Type.String()),
  band: Type.Optional(enumField(['automatic', 'review', 'none'])),
  score: Type.Optional(
    Type.Number({ description: 'Score from 0 to 1. A match is automatic from 0.9 and goes to review from 0.5.' }),
  ),
  method: Type.String(),
  reason: nullable(
    Type.String({ description: 'Why no brand was matched. `needs_review`: a brand is proposed and a person decides.' }),
  ),
  proposed_brand_uid: Type.Optional(nullable(Type.String())),
  runner_up: Type.Optional(nullable(Type.Object({ brand_uid: Type.String(), score: Type.Number() }))),
  evidence: Type.Array(
    Type.Object({
      field: Type.String(),
      value: Type.String(),
      matched: Type.String(),
      kind: Type.Optional(Type.String()),
      strategy: Type.Optional(Type.String()),
    }),
  ),
})

export const TraceSchema = namedObject('Decision', {
  matching: MatchingSchema,
  candidates: Type.Array(CandidateSchema, {
    description:
      'Offers of the brand. Eligible offers come first, best first, followed by the others, fewest failed rules first.',
  }),
  more_candidates: Type.Integer({ description: 'Number of evaluated offers that are not listed.' }),
  chosen: nullable(Type.String()),
  chosen_by: nullable(
    enumField(CHOSEN_BY, 'Why the chosen offer beats the next best one: reward, publisher share, or age.'),
  ),
  chosen_over: nullable(Type.String({ description: 'The next best offer.' })),
  offer_version: nullable(Type.Integer({ description: 'Version of the offer from which the terms were frozen.' })),
  status_reason: nullable(Type.String()),
  user_reward: Type.Number({
    description:
      "The user's reward for the purchase in its current state, including adjustments, whether credited or applied at checkout.",
  }),
  arithmetic: Type.Unsafe<BoundedArithmetic | (BoundedArithmetic & { readonly withheld_for: string }) | null>({
    type: ['object', 'null'],
    additionalProperties: true,
    description: 'Calculation for the purchase in its current state, to the cent.',
  }),
})

/** An explanation of a purchase's reward. Amounts are in major units. */
export type Trace = Static<typeof TraceSchema>

export const UserViewSchema = namedObject('UserDecision', {
  offer_uid: nullable(Type.String()),
  status_reason: nullable(Type.String()),
  user_cashback: Type.Number(),
  user_discount: Type.Number(),
  sentence: Type.String({ description: 'The reward, or why there is none.' }),
  steps: Type.Array(
    namedObject('UserDecisionStep', {
      step: named('DecisionStep', enumField(STEPS)),
      amount: Type.String(),
      rate_percent: Type.Optional(
        Type.Number({
          description: "For the `rate` step: the user's percentage of the amount; absent for a fixed amount.",
        }),
      ),
      sentence: Type.String(),
    }),
  ),
  conditional: Type.Optional(
    namedObject(
      'ConditionalReward',
      {
        offer_uid: Type.String(),
        reward: nullable(
          Type.Number({ description: 'Cashback or discount, or null if it depends on what is bought.' }),
        ),
        conditions: Type.Array(Type.String({ description: 'Name of the rule, as in the decision.' }), {
          description: 'Rules that are not met yet.',
        }),
      },
      {
        description:
          'Only in the response of `POST /transactions/evaluate`: what the purchase would earn if the user met the conditions that the request leaves open, such as the store, the time of day or an activation.',
      },
    ),
  ),
})

/**
 * A decision as shown to the user: the reward and the reason, in sentences. Reveals nothing about commission, fees and
 * shares, other offers, matching or other purchases.
 */
export type UserView = Static<typeof UserViewSchema>

export const DecisionSchema = Type.Union([TraceSchema, UserViewSchema])

const VIEWS = ['publisher', 'user'] as const
export const ViewQuery = strictObject({
  view: Type.Optional(
    named(
      'DecisionView',
      enumField(VIEWS, '`user`: in plain sentences, limited to what concerns the user. Defaults to publisher.'),
    ),
  ),
})
