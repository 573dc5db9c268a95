import { day, hash, id, instant, integer, money, oneOf, text } from '../../../platform/resource/fields.ts'
import { type ResourceRow, resource } from '../../../platform/resource/resource.ts'
import { actorName } from '../../../tenants/access/index.ts'
import { PAYOUT_FORMATS, type Payer } from '../files/payout-file.ts'

export const PAYOUT_FILE = resource('PayoutFile', {
  file_id: id<'payout-file'>('pof', 'pof_01kbjyt5v3f4nvj5yq5yfypr9v'),
  publisher_id: id<'publisher'>('pub', 'pub_01kbjyt5v3f4nvj5yq5yfypr9v'),
  format: oneOf(PAYOUT_FORMATS, 'nacha'),
  currency: text('USD'),
  pay_on: day('2026-11-23'),
  entries: integer(218),
  total: money(6120.5, 'Amount in major units.'),
  sha256: hash(
    '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    "Hash of the file's content, in hexadecimal.",
  ),
  created_by: text('acc_01kbjyt5v3f4nvj5yq5yfypr9v'),
  created_by_name: actorName('Ana Costa'),
  created_at: instant('2026-11-21T10:15:30.000Z'),
})

/** A payout file without its content. */
export type StoredFile = ResourceRow<typeof PAYOUT_FILE> & { readonly numberOfDay: number; readonly payer: Payer }
