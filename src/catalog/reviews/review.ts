import Type from 'typebox'
import { nullable } from '../../platform/http/index.ts'
import type { Id } from '../../platform/ids.ts'
import { boolean, field, id, ids, instant, integer, oneOf, text } from '../../platform/resource/fields.ts'
import { column, type ResourceRow, resource } from '../../platform/resource/resource.ts'
import type { BrandMatch, MatchEvidence } from '../merchants/index.ts'

export type ReviewId = Id<'review'>

export const REVIEW_STATUSES = ['OPEN', 'DECIDED'] as const

/** A review, open or answered, of a descriptor template and the brand proposed for it. */
export const REVIEW = resource('Review', {
  review_uid: id('rev', {
    property: 'reviewId',
    example: 'rev_01kbjyt5v3f4nvj5yq5yfypr9v',
    description: 'ID of the review.',
  }),
  template: text({
    example: 'corner market kiosk',
    description: 'The common part of the descriptors, without numbers, dates or places.',
  }),
  status: oneOf(REVIEW_STATUSES, { joined: true, example: 'OPEN', description: 'OPEN until a person answers.' }),
  proposed_brand_uid: text({
    property: 'proposedUid',
    example: 'brand-market',
    description: 'The most similar brand.',
  }),
  proposed_brand_name: text({
    property: 'proposedName',
    joined: true,
    nullable: true,
    example: 'Corner Market',
    description: 'Name of that brand; null if it is no longer in the catalog.',
  }),
  score: field(
    Type.Number({ description: 'Similarity, at least 0.5 and below 0.9. Matches from 0.9 up are automatic.' }),
    { example: 0.72 },
    (score: number) => score,
  ),
  method: text({ example: 'name', description: 'The basis of the match, such as `name` or `domain`.' }),
  evidence: field(
    Type.Array(
      Type.Object({
        field: Type.String({ description: 'The merchant field that matches.' }),
        value: Type.String({ description: 'Value of the field, without anything that could be a card number.' }),
        matched: Type.String({ description: "The brand's value that it matches." }),
        kind: Type.Optional(Type.String({ description: 'Type of match.' })),
        strategy: Type.Optional(Type.String({ description: 'How the name was interpreted, such as `truncated`.' })),
      }),
      { description: 'Facts that match the proposed brand.' },
    ),
    { example: [{ field: 'merchant_descriptor', value: 'CORNER MARKET KIOSK 12', matched: 'Corner Market' }] },
    (evidence: readonly MatchEvidence[]) => evidence,
  ),
  runner_up: field(
    Type.Object({
      brand_uid: Type.String({ description: 'The second most similar brand.' }),
      brand_name: nullable(Type.String({ description: 'Name of that brand.' })),
      score: Type.Number({ description: 'Similarity of that brand.' }),
    }),
    { nullable: true, example: { brand_uid: 'brand-kiosk', brand_name: 'The Kiosk', score: 0.41 } },
    ({ brandUid, score }: NonNullable<BrandMatch['runnerUp']>, { runnerUpName }: RunnerUpName) => ({
      brand_uid: brandUid,
      brand_name: runnerUpName,
      score,
    }),
  ),
  purchases: integer({ example: 3, description: 'Number of waiting purchases.' }),
  sample_transaction_uids: ids('txn', {
    property: 'samples',
    example: ['txn_01kbjyt5v3f4nvj5yq5yfypr9v'],
    description: 'Up to five of these purchases.',
  }),
  first_seen_at: instant({
    example: '2026-01-02T03:04:05.000Z',
    description: 'Time of the first of these purchases, RFC 3339.',
  }),
  last_seen_at: instant({
    example: '2026-01-05T10:00:00.000Z',
    description: 'Time of the last of these purchases, RFC 3339.',
  }),
  decided_at: instant({ nullable: true, example: null, description: 'When it was answered, RFC 3339.' }),
  decided_by: text({ nullable: true, example: null, description: 'Who answered the review.' }),
  brand_uid: text({
    nullable: true,
    example: null,
    description: 'The brand given as the answer; null if the review is open or the answer is no brand in this catalog.',
  }),
  brand_name: text({
    joined: true,
    nullable: true,
    example: null,
    description: 'Name of the brand given as the answer.',
  }),
})

/** A review as displayed to operators, who see the reviews of all publishers. */
export const OPERATOR_REVIEW = resource(
  'OperatorReview',
  {
    publisher_id: id('pub', {
      example: 'pub_01kbjyt5v3f4nvj5yq5yfypr9v',
      description: 'The publisher whose purchases are waiting.',
    }),
    publisher_name: text({ joined: true, example: 'Acme', description: 'Name of the publisher.' }),
    ...REVIEW.fields,
    is_for_all: boolean({
      joined: true,
      example: false,
      description: "Whether the review's answer applies to all publishers.",
    }),
  },
  { aliasUid: column<string | null>() },
)

type RunnerUpName = { readonly runnerUpName: string | null }
export type Review = ResourceRow<typeof OPERATOR_REVIEW> & RunnerUpName
