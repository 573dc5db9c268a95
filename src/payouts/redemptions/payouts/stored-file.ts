import { day, hash, id, instant, integer, money, oneOf, text } from '../../../platform/resource/fields.ts'
import { column, type ResourceRow, resource } from '../../../platform/resource/resource.ts'
import { actorName, PUBLISHER_FIELD } from '../../../tenants/access/index.ts'
import { PAYOUT_FORMATS, type Payer } from '../files/payout-file.ts'

/** A payout file without its content. */
export const PAYOUT_FILE = resource(
  'PayoutFile',
  {
    file_id: id('pof', { example: 'pof_01kbjyt5v3f4nvj5yq5yfypr9v' }),
    publisher_id: PUBLISHER_FIELD,
    format: oneOf(PAYOUT_FORMATS, { example: 'nacha' }),
    currency: text({ example: 'USD' }),
    pay_on: day({ example: '2026-11-23' }),
    entries: integer({ example: 218 }),
    total: money({ example: 6120.5, description: 'Amount in major units.' }),
    sha256: hash({
      example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      description: "Hash of the file's content, in hexadecimal.",
    }),
    created_by: text({ example: 'acc_01kbjyt5v3f4nvj5yq5yfypr9v' }),
    created_by_name: actorName({ of: 'created_by', example: 'Ana Costa' }),
    created_at: instant({ example: '2026-11-21T10:15:30.000Z' }),
  },
  { numberOfDay: column<number>(), payer: column<Payer>() },
)

export type StoredFile = ResourceRow<typeof PAYOUT_FILE>
