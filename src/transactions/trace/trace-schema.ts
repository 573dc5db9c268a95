import Type from 'typebox'
import { enumOf, nullable } from '../../platform/http/index.ts'
import { CHOSEN_BY } from './trace.ts'
import { STEPS } from './user-view.ts'

// What was decided before a member came does not have it.
const CandidateSchema = Type.Object({
  offer_uid: Type.String(),
  offer_version: Type.Optional(Type.Integer()),
  eligible: Type.Boolean(),
  status_reason: Type.Optional(nullable(Type.String({ description: 'Of the first rule that was not passed.' }))),
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
          "The user's part, were every rule passed; null: the purchase is in another currency than the offer.",
      }),
    ),
  ),
  would_share: Type.Optional(nullable(Type.Number({ description: "The publisher's part, likewise." }))),
})

const MatchingSchema = Type.Object({
  brand_uid: nullable(Type.String()),
  band: Type.Optional(enumOf(['automatic', 'review', 'none'])),
  score: Type.Optional(Type.Number({ description: '0 to 1: from 0.9 automatic, from 0.5 to be reviewed.' })),
  method: Type.String(),
  reason: nullable(Type.String({ description: 'Why no brand; `needs_review`: one is proposed, a person decides.' })),
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

const PublisherViewSchema = Type.Object({
  matching: MatchingSchema,
  candidates: Type.Array(CandidateSchema, {
    description: 'The offers of the brand: those that may pay, best first, then those refused, the nearest first.',
  }),
  more_candidates: Type.Integer({ description: 'How many further offers were judged that are not shown.' }),
  chosen: nullable(Type.String()),
  chosen_by: nullable(
    enumOf(CHOSEN_BY, 'What the chosen offer is better in than the next: the reward, then the share, then its age.'),
  ),
  chosen_over: nullable(Type.String({ description: 'The next best offer.' })),
  offer_version: nullable(Type.Integer({ description: 'The state of the offer that the terms were taken from.' })),
  status_reason: nullable(Type.String()),
  user_reward: Type.Number({
    description: 'What the user has of the purchase as it stands, with all that adjusts it: credited or at the till.',
  }),
  arithmetic: Type.Unsafe<Record<string, unknown> | null>({
    type: ['object', 'null'],
    additionalProperties: true,
    description: 'The steps from the purchase as it stands to the cent.',
  }),
})

const UserViewSchema = Type.Object({
  offer_uid: nullable(Type.String()),
  status_reason: nullable(Type.String()),
  user_cashback: Type.Number(),
  user_discount: Type.Number(),
  sentence: Type.String({ description: 'What it came to, or why it came to nothing.' }),
  steps: Type.Array(Type.Object({ step: enumOf(STEPS), amount: Type.String(), sentence: Type.String() })),
})

export const DecisionSchema = Type.Union([PublisherViewSchema, UserViewSchema])

const VIEWS = ['publisher', 'user'] as const
export const ViewQuery = Type.Object(
  {
    view: Type.Optional(
      enumOf(VIEWS, "`user`: in sentences, without what is none of its user's business; default publisher."),
    ),
  },
  { additionalProperties: false },
)
