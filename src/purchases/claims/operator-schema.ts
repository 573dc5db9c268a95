import Type, { type Static } from 'typebox'
import {
  amountField,
  currencyField,
  enumField,
  namedObject,
  namedStrictObject,
  nullable,
  strictObject,
  textField,
} from '../../platform/http/index.ts'
import { boolean, instant, text } from '../../platform/resource/fields.ts'
import { resource } from '../../platform/resource/resource.ts'
import { actorName, PUBLISHER_FIELD } from '../../tenants/access/index.ts'
import { PAYERS } from '../../users/adjustments/index.ts'
import { CANDIDATE_REFUND } from '../linker/index.ts'
import { presentTransaction, TRANSACTION, TraceSchema, UserEventSchema } from '../transactions/index.ts'
import { OPERATOR_ADJUSTMENT } from './adjustment-operator-routes.ts'
import type { Candidates } from './candidates.ts'
import { CLAIM, NOTE } from './claim.ts'
import { PERSONS_REASONS } from './rules.ts'

export const GrantBody = namedStrictObject('ClaimGrant', {
  event: Type.Optional(
    Type.Object(UserEventSchema.properties, {
      additionalProperties: false,
      description: 'The purchase, as a source event for the user in the format of POST /transactions.',
    }),
  ),
  adjustment: Type.Optional(
    strictObject(
      {
        kind: enumField(
          ['goodwill', 'correction'],
          'goodwill credits the user; a correction here credits the missing amount.',
        ),
        amount: amountField('Amount credited to the user.'),
        currency: Type.Optional(
          currencyField(
            "Defaults to the claim's currency, or to the publisher's first currency if the claim has none.",
          ),
        ),
        paid_by: Type.Optional(enumField(PAYERS, 'Who funds the adjustment. Defaults to service.')),
        reason: textField(500, 'Reason. Visible to the publisher.'),
      },
      { description: "Adjustment of the user's balance." },
    ),
  ),
})
export type Grant = Static<typeof GrantBody>

export const DeclineClaimBody = namedStrictObject('ClaimDecline', {
  reason: enumField(PERSONS_REASONS, 'Reason. Visible to the publisher.'),
  text: textField(1_000, 'Human-readable details. Visible to the publisher.'),
})

export const OPERATOR_CLAIM = resource('OperatorClaim', {
  publisher_id: PUBLISHER_FIELD,
  ...CLAIM.fields,
  brand_name: text({
    joined: true,
    nullable: true,
    example: 'Corner Market',
    description: 'Name of the brand; null if the claim specifies no brand in the catalog.',
  }),
  decided_by: text({
    nullable: true,
    example: null,
    description: 'The operator or publisher who decided, or laurel at the deadline.',
  }),
  decided_by_name: actorName({ of: 'decided_by', example: null }),
})

const CLICK = resource('CandidateClick', {
  offer_uid: text({ example: 'offer-market' }),
  network: text({
    nullable: true,
    example: 'awin',
    description: 'The network the click was sent to, or null if no longer known.',
  }),
  clicked_at: instant({
    example: '2026-11-14T09:12:00.000Z',
    description: 'When the user followed the link, in RFC 3339 format.',
  }),
  is_sold: boolean({ example: false, description: 'True if the network has reported a sale for this click.' }),
})

/** A note with the name of its author, which only operators see. */
export const OPERATOR_NOTE = resource('OperatorClaimDetailNote', {
  author: text({ example: 'user', description: 'Author of the note: publisher, user, laurel, or the operator.' }),
  author_name: actorName({ of: 'author', example: 'user' }),
  text: NOTE.fields.text,
  at: NOTE.fields.at,
})

const EstimateSchema = namedObject('ClaimEstimate', {
  amount: Type.Number({ description: "The user's cashback and discount in major units." }),
  currency: Type.String(),
  status_reason: nullable(
    Type.String({ description: 'Why the purchase would earn nothing; null if it would earn a reward.' }),
  ),
})

export const ClaimDetailSchema = namedObject('OperatorClaimDetail', {
  ...OPERATOR_CLAIM.schema.properties,
  notes: Type.Array(OPERATOR_NOTE.schema, { description: 'Evidence and comments, oldest first.' }),
  transaction: nullable(
    Type.Object(TRANSACTION.schema.properties, {
      description: 'The purchase that the claim is about; null if it refers to none.',
    }),
  ),
  decision: nullable(
    Type.Object(TraceSchema.properties, { description: 'Explanation of what the purchase earns, rule by rule.' }),
  ),
  adjustment: nullable(
    Type.Object(OPERATOR_ADJUSTMENT.schema.properties, {
      description: 'The adjustment that grants the claim, or that is waiting for another person to book it.',
    }),
  ),
  would_earn: nullable(
    Type.Object(EstimateSchema.properties, {
      description:
        'The reward that the claimed purchase would earn if it were reported now; null if too little is known about it.',
    }),
  ),
  candidates: Type.Object(
    {
      purchases: Type.Array(TRANSACTION.schema, { description: 'Purchases at the brand, or at no known brand.' }),
      clicks: Type.Array(CLICK.schema, { description: 'Clicks on offers of the brand.' }),
      refunds: Type.Array(CANDIDATE_REFUND.schema, { description: 'Refunds not matched to a purchase.' }),
    },
    { description: "What the claim could be about: a few of the user's records from around the day of the purchase." },
  ),
})

export function presentCandidates({ purchases, clicks, refunds }: Candidates, publisherUserId: string) {
  return {
    purchases: purchases.map((row) => presentTransaction(row, publisherUserId)),
    clicks: clicks.map(CLICK.present),
    refunds: refunds.map(CANDIDATE_REFUND.present),
  }
}

export const claimDetailExample = {
  ...OPERATOR_CLAIM.example,
  notes: [{ ...NOTE.example, author_name: NOTE.example.author }],
  transaction: null,
  decision: null,
  adjustment: null,
  would_earn: { amount: 4.2, currency: 'USD', status_reason: null },
  candidates: {
    purchases: [],
    clicks: [CLICK.example],
    refunds: [],
  },
}
const decided = {
  version: 2,
  decided_at: '2026-11-22T10:15:30.000Z',
  decided_by: 'acc_01kbjyt5v3f4nvj5yq5yfypr9v',
  decided_by_name: 'Ana Costa',
}
export const grantedExample = {
  ...OPERATOR_CLAIM.example,
  status: 'granted',
  granted_transaction_uid: 'txn_01kbjyt5v3f4nvj5yq5yfypr9v',
  ...decided,
}
export const declinedExample = {
  ...OPERATOR_CLAIM.example,
  status: 'declined',
  reason: 'no_purchase_found',
  reason_text: 'The shop has no record of this order.',
  ...decided,
}
