import Type, { type Static } from 'typebox'
import {
  currencyField,
  dayField,
  enumOf,
  idField,
  namedObject,
  namedStrictObject,
  nullable,
  strictObject,
  textField,
} from '../../platform/http/index.ts'
import { encodeId, type PublisherId, type UserId } from '../../platform/ids.ts'
import { toJsonNumber } from '../../platform/money.ts'
import { actorNameField } from '../../tenants/access/index.ts'
import type { Environment } from '../../tenants/publishers/index.ts'
import { PAYOUT_FORMATS } from './files/payout-file.ts'
import type { AnswerSummary } from './payouts/payout-answers.ts'
import type { StoredFile } from './payouts/payout-file-queries.ts'
import type { MadeFile } from './payouts/payout-files.ts'
import type { Redemption } from './redemption.ts'
import { presentRedemption, RedemptionSchema, redemptionExample } from './schema.ts'

export const LIMIT = 100
const LIMIT_MAX = 500
const limit = Type.Optional(Type.Integer({ minimum: 1, maximum: LIMIT_MAX, description: 'Defaults to 100.' }))
const ofPublisher = Type.Optional(idField('Only results for this publisher.'))

export const OpenQuery = strictObject({
  publisher_id: ofPublisher,
  status: Type.Optional(
    enumOf(['requested', 'approved', 'sent'], 'Defaults to requested: redemptions waiting for approval.'),
  ),
  limit,
})
export const FilesQuery = strictObject({ publisher_id: ofPublisher, limit })
export const RedemptionParams = Type.Object({ redemption_id: idField('The redemption.') })
export const FileParams = Type.Object({ file_id: idField('The file.') })
export const DeclineBody = strictObject({ reason: textField(500, 'Reason. Visible to the publisher.') })
export const AnswerBody = namedStrictObject('BankAnswer', {
  content: Type.String({ minLength: 1, maxLength: 1_000_000, description: "The bank's response file, as text." }),
})
export const NewFileBody = namedStrictObject('NewPayoutFile', {
  publisher_id: idField('The publisher (pub_…).'),
  format: enumOf(PAYOUT_FORMATS),
  currency: Type.Optional(
    currencyField("Of which redemptions; without it, of those in the publisher's first currency."),
  ),
  pay_on: Type.Optional(
    dayField('When the money should arrive; from today to a year ahead; by default, the next business day.'),
  ),
})

export const AnyRedemptionSchema = namedObject('OperatorRedemption', {
  publisher_id: Type.String(),
  environment: enumOf(['sandbox', 'production'], 'No real money moves in a sandbox.'),
  ...RedemptionSchema.properties,
})
type AnyRedemption = Static<typeof AnyRedemptionSchema>

/** Details shown to operators in addition to the rows. */
export type ShownBeside = {
  readonly names: ReadonlyMap<UserId, string>
  readonly environments: ReadonlyMap<PublisherId, Environment>
}

export function presentAny(row: Redemption, { names, environments }: ShownBeside): AnyRedemption {
  return {
    publisher_id: encodeId('pub', row.publisherId),
    environment: environments.get(row.publisherId) ?? 'production',
    ...presentRedemption(row, names.get(row.userId) ?? ''),
  }
}

const PayoutFileSchema = namedObject('PayoutFile', {
  file_id: Type.String(),
  publisher_id: Type.String(),
  format: enumOf(PAYOUT_FORMATS),
  currency: Type.String(),
  pay_on: Type.String(),
  entries: Type.Integer(),
  total: Type.Number({ description: 'Amount in major units.' }),
  sha256: Type.String({ description: "Hash of the file's content, in hexadecimal." }),
  created_by: Type.String(),
  created_by_name: actorNameField,
  created_at: Type.String(),
})
export const FilesSchema = namedObject('PayoutFileList', { content: Type.Array(PayoutFileSchema) })
export const MadeFileSchema = namedObject('CreatedPayoutFile', {
  ...PayoutFileSchema.properties,
  pay_on_closed: nullable(
    Type.String({
      description:
        'Why pay_on is not a business day, such as `a Sunday`, in which case banks pay on the next one. Null if it is a business day.',
    }),
  ),
  left: Type.Array(
    Type.Object({ redemption_id: Type.String(), reason: Type.String({ description: 'Human-readable explanation.' }) }),
    { description: 'Redemptions that this format cannot pay. They stay approved.' },
  ),
})

export function presentFile(file: StoredFile): Omit<Static<typeof PayoutFileSchema>, 'created_by_name'> {
  return {
    file_id: encodeId('pof', file.fileId),
    publisher_id: encodeId('pub', file.publisherId),
    format: file.format,
    currency: file.currency,
    pay_on: file.payOn,
    entries: file.entries,
    total: toJsonNumber(file.total, file.currency),
    sha256: file.sha256.toString('hex'),
    created_by: file.createdBy,
    created_at: file.createdAt.toISOString(),
  }
}

export function presentMade({ file, closed, left }: MadeFile): Omit<Static<typeof MadeFileSchema>, 'created_by_name'> {
  const shown = left.map(({ redemptionId, reason }) => ({ redemption_id: encodeId('rdm', redemptionId), reason }))
  return { ...presentFile(file), pay_on_closed: closed, left: shown }
}

export const SummarySchema = namedObject('PayoutFileSummary', {
  paid: Type.Integer(),
  failed: Type.Integer(),
  returned: Type.Integer(),
  unchanged: Type.Integer({ description: 'Number of outcomes that were already known.' }),
  contradicted: Type.Array(
    Type.Object({ redemption_id: Type.String(), status: Type.String({ description: 'Current status.' }) }),
    { description: "Redemptions whose status contradicts the bank's response. A person must look into them." },
  ),
  unknown: Type.Array(Type.String(), {
    description: 'References that are not in this file, or that have a different amount.',
  }),
  skipped: Type.Array(
    Type.Object({
      line: Type.Integer({ description: "Line number in the bank's response, starting at 1." }),
      message: Type.String({ description: 'Human-readable explanation.' }),
    }),
    { description: 'Lines that are not about payouts, such as returns of another product of the bank.' },
  ),
  changes: Type.Array(
    Type.Object({
      redemption_id: Type.String(),
      svc_user_id: Type.String({ description: 'The user whose destination was paid.' }),
      code: Type.String({ description: "The bank's code, such as C01." }),
      meaning: nullable(Type.String({ description: 'Human-readable meaning of the code.' })),
    }),
    {
      description:
        'Payouts that arrived, but whose destination the bank asks to change. No destination is changed: ask the user to enter the account again.',
    },
  ),
})

export function presentSummary({
  contradicted,
  unknown,
  changes,
  skipped,
  ...counts
}: AnswerSummary): Static<typeof SummarySchema> {
  return {
    ...counts,
    contradicted: contradicted.map(({ redemptionId, status }) => ({
      redemption_id: encodeId('rdm', redemptionId),
      status,
    })),
    unknown: [...unknown],
    skipped: [...skipped],
    changes: changes.map(({ redemption, ...asked }) => ({
      redemption_id: encodeId('rdm', redemption.redemptionId),
      svc_user_id: encodeId('usr', redemption.userId),
      ...asked,
    })),
  }
}

export const openExample: AnyRedemption = {
  publisher_id: 'pub_01kbjyt5v3f4nvj5yq5yfypr9v',
  environment: 'production',
  ...redemptionExample,
  status: 'requested',
  approvals_needed: 2,
  version: 1,
}
export const fileExample: Static<typeof PayoutFileSchema> = {
  file_id: 'pof_01kbjyt5v3f4nvj5yq5yfypr9v',
  publisher_id: 'pub_01kbjyt5v3f4nvj5yq5yfypr9v',
  format: 'nacha',
  currency: 'USD',
  pay_on: '2026-11-23',
  entries: 218,
  total: 6120.5,
  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  created_by: 'acc_01kbjyt5v3f4nvj5yq5yfypr9v',
  created_by_name: 'Ana Costa',
  created_at: '2026-11-21T10:15:30.000Z',
}
export const summaryExample: Static<typeof SummarySchema> = {
  paid: 216,
  failed: 2,
  returned: 0,
  unchanged: 0,
  contradicted: [],
  unknown: [],
  skipped: [],
  changes: [],
}
