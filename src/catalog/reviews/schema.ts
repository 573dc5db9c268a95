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
import { OPERATOR_REVIEW, REVIEW, REVIEW_STATUSES, type Review } from './review.ts'
import type { DecidedReview } from './service.ts'

export const REVIEW_SORTS = ['last_seen_at', 'purchases'] as const

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

export const ReviewDetailSchema = namedObject('OperatorReviewDetail', {
  ...OPERATOR_REVIEW.schema.properties,
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
  review: Type.Object(REVIEW.schema.properties, { description: 'The reopened review.' }),
  opened: Type.Integer({ description: 'Number of reviews that were reopened.' }),
  rematch: DecidedRematch,
})
const answeredBrand = nullable(
  Type.String({ minLength: 1, maxLength: 255, description: 'Null if the brand is not in the catalog.' }),
)
const note = Type.Optional(textField(1_000, 'The reason.'))
export const AnyAnswerSchema = namedStrictObject('OperatorReviewAnswer', {
  brand_uid: answeredBrand,
  scope: enumField(['PUBLISHER', 'ALL'], 'Who the answer applies to: the publisher of the review, or all publishers.'),
  note,
})

export const AnswerSchema = namedStrictObject('ReviewAnswer', {
  brand_uid: answeredBrand,
  scope: enumField(['PUBLISHER'], 'Who the answer applies to. Only operators can answer for all publishers.'),
  decided_by: Type.Optional(textField(255, 'Who decided. Defaults to your publisher name.')),
  note,
})

export const DecidedSchema = namedObject('DecidedReview', {
  review: Type.Object(REVIEW.schema.properties, { description: 'The review after the decision.' }),
  closed: Type.Integer({ description: 'Number of open reviews closed by this decision.' }),
  rematch: DecidedRematch,
})

export function presentDetail(review: Review, alike: readonly Review[]): Static<typeof ReviewDetailSchema> {
  const bound = alike.map(({ publisherId, publisherName, purchases }) => ({
    publisher_id: encodeId('pub', publisherId),
    publisher_name: publisherName,
    purchases,
  }))
  return { ...OPERATOR_REVIEW.present(review), alike: bound }
}

export function presentReopened(undone: DecidedReview): Static<typeof ReopenedSchema> {
  const { review, closed: opened, rematch } = presentDecided(undone)
  return { review, opened, rematch }
}

export function presentDecided({ review, closed }: DecidedReview): Static<typeof DecidedSchema> {
  const all = closed.length === 0 ? [review] : closed
  const dayOfInstant = (at: number): string => new Date(at).toISOString().slice(0, 10)
  return {
    review: REVIEW.present(review),
    closed: closed.length,
    // Padded by a day on each side, so that the range covers every time zone.
    rematch: {
      template: review.template,
      since: dayOfInstant(Math.min(...all.map((one) => one.firstSeenAt.getTime())) - DAY_MS),
      until: dayOfInstant(Math.max(...all.map((one) => one.lastSeenAt.getTime())) + DAY_MS),
    },
  }
}

export const decidedExample = {
  review: {
    ...REVIEW.example,
    status: 'DECIDED' as const,
    decided_at: '2026-01-06T09:00:00.000Z',
    decided_by: 'Ana',
    brand_uid: 'brand-market',
    brand_name: 'Corner Market',
  },
  closed: 1,
  rematch: { template: 'corner market kiosk', since: '2026-01-01', until: '2026-01-06' },
}
