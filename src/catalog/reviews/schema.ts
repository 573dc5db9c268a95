import Type, { type Static } from 'typebox'
import { DAY_MS } from '../../platform/calendar.ts'
import {
  enumField,
  namedObject,
  namedStrictObject,
  nullable,
  pageQuery,
  strictObject,
  textField,
} from '../../platform/http/index.ts'
import { encodeId } from '../../platform/ids.ts'
import { REVIEW_STATUSES, type Review } from './queries.ts'
import type { DecidedReview } from './service.ts'

export const REVIEW_SORTS = ['last_seen_at', 'purchases'] as const

export const ReviewSchema = namedObject('Review', {
  review_uid: Type.String({ description: 'ID of the review.' }),
  template: Type.String({ description: 'The common part of the descriptors, without numbers, dates or places.' }),
  status: enumField(REVIEW_STATUSES, 'OPEN until a person answers.'),
  proposed_brand_uid: Type.String({ description: 'The most similar brand.' }),
  proposed_brand_name: nullable(
    Type.String({ description: 'Name of that brand; null if it is no longer in the catalog.' }),
  ),
  score: Type.Number({ description: 'Similarity, at least 0.5 and below 0.9. Matches from 0.9 up are automatic.' }),
  method: Type.String({ description: 'The basis of the match, such as `name` or `domain`.' }),
  evidence: Type.Array(
    Type.Object({
      field: Type.String({ description: 'The merchant field that matches.' }),
      value: Type.String({ description: 'Value of the field, without anything that could be a card number.' }),
      matched: Type.String({ description: "The brand's value that it matches." }),
      kind: Type.Optional(Type.String({ description: 'Type of match.' })),
      strategy: Type.Optional(Type.String({ description: 'How the name was interpreted, such as `truncated`.' })),
    }),
    { description: 'Facts that match the proposed brand.' },
  ),
  runner_up: nullable(
    Type.Object({
      brand_uid: Type.String({ description: 'The second most similar brand.' }),
      brand_name: nullable(Type.String({ description: 'Name of that brand.' })),
      score: Type.Number({ description: 'Similarity of that brand.' }),
    }),
  ),
  purchases: Type.Integer({ description: 'Number of waiting purchases.' }),
  sample_transaction_uids: Type.Array(Type.String(), { description: 'Up to five of these purchases.' }),
  first_seen_at: Type.String({ description: 'Time of the first of these purchases, RFC 3339.' }),
  last_seen_at: Type.String({ description: 'Time of the last of these purchases, RFC 3339.' }),
  decided_at: nullable(Type.String({ description: 'When it was answered, RFC 3339.' })),
  decided_by: nullable(Type.String({ description: 'Who answered the review.' })),
  brand_uid: nullable(
    Type.String({
      description:
        'The brand given as the answer; null if the review is open or the answer is no brand in this catalog.',
    }),
  ),
  brand_name: nullable(Type.String({ description: 'Name of the brand given as the answer.' })),
})
export type PresentedReview = Static<typeof ReviewSchema>

export const ReviewQuery = strictObject({
  status: Type.Optional(enumField(REVIEW_STATUSES, 'Defaults to open reviews.')),
  ...pageQuery,
})

const DecidedRematch = Type.Object(
  {
    template: Type.String({ description: 'Pattern shared by the descriptors.' }),
    since: Type.String({ description: 'First day of the purchases, yyyy-MM-dd.' }),
    until: Type.String({ description: 'Last day of the purchases, yyyy-MM-dd.' }),
  },
  {
    description:
      'Earlier purchases for a re-match. Only operators can run re-matches: a publisher sends these fields to the operating company, whose preview shows what would change.',
  },
)

/** A review as displayed to operators, who see the reviews of all publishers. */
export const AnyReviewSchema = namedObject('OperatorReview', {
  publisher_id: Type.String({ description: 'The publisher whose purchases are waiting.' }),
  publisher_name: Type.String({ description: 'Name of the publisher.' }),
  ...ReviewSchema.properties,
  is_for_all: Type.Boolean({ description: "Whether the review's answer applies to all publishers." }),
})
export const ReviewDetailSchema = namedObject('OperatorReviewDetail', {
  ...AnyReviewSchema.properties,
  alike: Type.Array(
    Type.Object({
      publisher_id: Type.String({ description: 'A publisher with an open review of the same merchant.' }),
      publisher_name: Type.String({ description: 'Name of the publisher.' }),
      purchases: Type.Integer({ description: "Number of the publisher's purchases that are waiting." }),
    }),
    {
      description:
        'The reviews that an answer for all publishers decides: every open review of this merchant, including this one.',
    },
  ),
})
export const ReopenedSchema = namedObject('ReopenedReviews', {
  review: Type.Object(ReviewSchema.properties, { description: 'The reopened review.' }),
  opened: Type.Integer({ description: 'Number of reviews that were reopened.' }),
  rematch: DecidedRematch,
})
export const AnyAnswerSchema = namedStrictObject('OperatorReviewAnswer', {
  brand_uid: nullable(
    Type.String({ minLength: 1, maxLength: 255, description: 'Null if the brand is not in the catalog.' }),
  ),
  scope: enumField(['PUBLISHER', 'ALL'], 'Who the answer applies to: the publisher of the review, or all publishers.'),
  note: Type.Optional(textField(1_000, 'The reason.')),
})

export const AnswerSchema = namedStrictObject('ReviewAnswer', {
  brand_uid: nullable(
    Type.String({ minLength: 1, maxLength: 255, description: 'Null if the brand is not in the catalog.' }),
  ),
  scope: enumField(['PUBLISHER'], 'Who the answer applies to. Only operators can answer for all publishers.'),
  decided_by: Type.Optional(textField(255, 'Who decided. Defaults to your publisher name.')),
  note: Type.Optional(textField(1_000, 'The reason.')),
})

export const DecidedSchema = namedObject('DecidedReview', {
  review: Type.Object(ReviewSchema.properties, { description: 'The review after the decision.' }),
  closed: Type.Integer({ description: 'Number of open reviews closed by this decision.' }),
  rematch: DecidedRematch,
})

export function presentReview(review: Review): PresentedReview {
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
  const { publisherId, publisherName, isForAll } = review
  const publisher = { publisher_id: encodeId('pub', publisherId), publisher_name: publisherName }
  return { ...publisher, ...presentReview(review), is_for_all: isForAll }
}

export function presentDetail(review: Review, alike: readonly Review[]): Static<typeof ReviewDetailSchema> {
  const bound = alike.map(({ publisherId, publisherName, purchases }) => ({
    publisher_id: encodeId('pub', publisherId),
    publisher_name: publisherName,
    purchases,
  }))
  return { ...presentAnyReview(review), alike: bound }
}

export function presentReopened(undone: DecidedReview): Static<typeof ReopenedSchema> {
  const { review, closed: opened, rematch } = presentDecided(undone)
  return { review, opened, rematch }
}

export function presentDecided({ review, closed }: DecidedReview): Static<typeof DecidedSchema> {
  const all = closed.length === 0 ? [review] : closed
  const dayOfInstant = (at: number): string => new Date(at).toISOString().slice(0, 10)
  return {
    review: presentReview(review),
    closed: closed.length,
    // Padded by a day on each side, so that the range covers every time zone.
    rematch: {
      template: review.template,
      since: dayOfInstant(Math.min(...all.map((one) => one.firstSeenAt.getTime())) - DAY_MS),
      until: dayOfInstant(Math.max(...all.map((one) => one.lastSeenAt.getTime())) + DAY_MS),
    },
  }
}
