import Type, { type Static } from 'typebox'
import { enumOf, idField, nullable, pageQuery, textField } from '../platform/http/index.ts'
import { encodeId } from '../platform/ids.ts'
import type { Review } from './queries.ts'
import type { Decided } from './service.ts'

export const REVIEW_SORTS = ['last_seen_at', 'purchases'] as const
const STATES = ['OPEN', 'DECIDED'] as const

export const ReviewSchema = Type.Object({
  review_uid: Type.String({ description: 'Identifier of the review.' }),
  template: Type.String({ description: 'What the descriptors have in common: no numbers, dates and places.' }),
  status: enumOf(STATES, 'OPEN until somebody answers.'),
  proposed_brand_uid: Type.String({ description: 'The brand that it looks like.' }),
  proposed_brand_name: nullable(
    Type.String({ description: 'What it is called; null when the catalog has it no more.' }),
  ),
  score: Type.Number({ description: 'How much: from 0.5; from 0.9 nobody would be asked.' }),
  method: Type.String({ description: 'What the likeness rests on, such as `name` or `domain`.' }),
  evidence: Type.Array(
    Type.Object({
      field: Type.String({ description: 'Which fact of the merchant.' }),
      value: Type.String({ description: "What the fact is, without numbers that may be a card's." }),
      matched: Type.String({ description: 'What of the brand it is like.' }),
      kind: Type.Optional(Type.String({ description: 'How it is like it.' })),
      strategy: Type.Optional(Type.String({ description: 'How the name was read, such as `truncated`.' })),
    }),
    { description: 'What speaks for the proposed brand.' },
  ),
  runner_up: nullable(
    Type.Object({
      brand_uid: Type.String({ description: 'The brand that it looks like next.' }),
      brand_name: nullable(Type.String({ description: 'What it is called.' })),
      score: Type.Number({ description: 'How much.' }),
    }),
  ),
  purchases: Type.Integer({ description: 'How many wait for the answer.' }),
  sample_transaction_uids: Type.Array(Type.String(), { description: 'At most five of them.' }),
  first_seen_at: Type.String({ description: 'When the first of them was made, RFC 3339.' }),
  last_seen_at: Type.String({ description: 'When the last of them was made, RFC 3339.' }),
  decided_at: nullable(Type.String({ description: 'When it was answered, RFC 3339.' })),
  decided_by: nullable(Type.String({ description: 'Who answered.' })),
  brand_uid: nullable(Type.String({ description: 'The answer; null when open, or no brand of this catalog.' })),
  brand_name: nullable(Type.String({ description: 'What the brand of the answer is called.' })),
})
export type ShownReview = Static<typeof ReviewSchema>

export const ReviewQuery = Type.Object(
  { status: Type.Optional(enumOf(STATES, 'Open ones where not given.')), ...pageQuery },
  { additionalProperties: false },
)

/** The same for operators, who see those of all publishers. */
export const AnyReviewSchema = Type.Object({
  publisher_id: Type.String({ description: 'The publisher whose purchases wait.' }),
  publisher_name: Type.String({ description: 'What it is called.' }),
  ...ReviewSchema.properties,
})
export const AnyReviewQuery = Type.Object(
  {
    publisher_id: Type.Optional(idField('Of this publisher (pub_…); of all where not given.')),
    ...ReviewQuery.properties,
  },
  { additionalProperties: false },
)
export const AnyAnswerSchema = Type.Object(
  {
    brand_uid: nullable(Type.String({ minLength: 1, maxLength: 255, description: 'Null: no brand of this catalog.' })),
    scope: enumOf(['PUBLISHER', 'ALL'], 'For whom the answer holds: the publisher of the review, or all publishers.'),
    note: Type.Optional(textField(1_000, 'Why.')),
  },
  { additionalProperties: false },
)

export const AnswerSchema = Type.Object(
  {
    brand_uid: nullable(Type.String({ minLength: 1, maxLength: 255, description: 'Null: no brand of this catalog.' })),
    scope: enumOf(['PUBLISHER'], 'For whom the answer holds; for all publishers, operators decide.'),
    decided_by: Type.Optional(textField(255, 'Who decided; your name where not given.')),
    note: Type.Optional(textField(1_000, 'Why.')),
  },
  { additionalProperties: false },
)

export const DecidedSchema = Type.Object({
  review: Type.Object(ReviewSchema.properties, { description: 'The review as it stands now.' }),
  closed: Type.Integer({ description: 'How many open reviews this answer closed.' }),
  rematch: Type.Object(
    {
      template: Type.String({ description: 'What the descriptors have in common.' }),
      since: Type.String({ description: 'The first day of purchases, yyyy-MM-dd.' }),
      until: Type.String({ description: 'The last day, yyyy-MM-dd.' }),
    },
    {
      description:
        'Which earlier purchases a re-match would decide anew. Re-matches are for operators: a publisher hands these members to the operating company, whose preview shows what would change.',
    },
  ),
})

export function presentReview(review: Review): ShownReview {
  const { runnerUp, decidedAt } = review
  return {
    review_uid: encodeId('rev', review.reviewId),
    template: review.template,
    status: decidedAt === null ? 'OPEN' : 'DECIDED',
    proposed_brand_uid: review.proposedUid,
    proposed_brand_name: review.proposedName,
    score: review.score,
    method: review.method,
    evidence: review.evidence.map((one) => ({ ...one })),
    runner_up:
      runnerUp === null
        ? null
        : { brand_uid: runnerUp.brandUid, brand_name: review.runnerUpName, score: runnerUp.score },
    purchases: review.purchases,
    sample_transaction_uids: review.samples.map((id) => encodeId('txn', id)),
    first_seen_at: review.firstSeenAt.toISOString(),
    last_seen_at: review.lastSeenAt.toISOString(),
    decided_at: decidedAt?.toISOString() ?? null,
    decided_by: review.decidedBy,
    brand_uid: review.brandUid,
    brand_name: review.brandName,
  }
}

export function presentAnyReview(review: Review): Static<typeof AnyReviewSchema> {
  const { publisherId, publisherName } = review
  return { publisher_id: encodeId('pub', publisherId), publisher_name: publisherName, ...presentReview(review) }
}

export function presentDecided({ review, closed }: Decided): Static<typeof DecidedSchema> {
  const all = closed.length === 0 ? [review] : closed
  const dayOfInstant = (at: number): string => new Date(at).toISOString().slice(0, 10)
  return {
    review: presentReview(review),
    closed: closed.length,
    rematch: {
      template: review.template,
      since: dayOfInstant(Math.min(...all.map((one) => one.firstSeenAt.getTime())) - DAY_MS),
      until: dayOfInstant(Math.max(...all.map((one) => one.lastSeenAt.getTime())) + DAY_MS),
    },
  }
}

// A day before and after, whatever time zone the days are then read in.
const DAY_MS = 86_400_000
