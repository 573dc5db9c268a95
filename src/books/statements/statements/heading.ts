import { SHARED_BOOKS } from '../../../ledger/index.ts'
import { instantField } from '../../../platform/http/index.ts'
import { encodeId, type Id, type PublisherId } from '../../../platform/ids.ts'
import { hash, id, instant, oneOf, text } from '../../../platform/resource/fields.ts'
import { column, type ResourceRow, resource } from '../../../platform/resource/resource.ts'
import { KIND, STATEMENT_KINDS } from './document.ts'

export const formatBooks = (books: string): string => (books === SHARED_BOOKS ? books : encodeId('pub', books))

/** A statement as returned in lists. */
export const HEADING = resource(
  'StatementHeading',
  {
    statement_id: id('stm', { example: 'stm_01kbjyt5v3f4nvj5yq5yfypr9v', description: 'ID of the statement.' }),
    kind: oneOf(STATEMENT_KINDS, { example: 'advertiser', description: KIND }),
    party: {
      ...text({ example: 'brand-market', description: 'The brand, the publisher (pub_…), or `service`.' }),
      serialize: (party: string, row: object) => {
        const { publisherId } = row as { readonly publisherId: PublisherId | null }
        return publisherId === null ? party : encodeId('pub', publisherId)
      },
    },
    party_name: text({ example: 'Corner Market', description: 'Name of the party when the month was closed.' }),
    books: {
      ...text({
        example: 'production',
        description:
          'The publisher (pub_…) whose books it belongs to, or `production` for what production publishers share.',
      }),
      serialize: formatBooks,
    },
    environment: oneOf(['sandbox', 'production'], { example: 'production' }),
    currency: text({ example: 'USD' }),
    month: text({
      example: '2026-11',
      description: "yyyy-MM, in the publisher's time zone for a publisher's books, otherwise in UTC.",
    }),
    ends_at: {
      ...instant({ joined: true, example: '2026-12-01T00:00:00.000Z' }),
      schema: instantField('End of the month.'),
    },
    cut_at: text({
      joined: true,
      example: '2026-12-03T08:00:00.000000Z',
      description: 'Cutoff time. Bookings made up to then are included. RFC 3339, to the microsecond.',
    }),
    sha256: hash({
      example: '5f0c3f0b6a0e3c1d4b7f9a2e8d6c5b4a39281706f5e4d3c2b1a09f8e7d6c5b4a',
      description: "Hash of the statement's JSON bytes, in hexadecimal.",
    }),
    created_at: {
      ...instant({ example: '2026-12-03T08:00:01.000Z' }),
      schema: instantField('When the month was closed.'),
    },
  },
  { publisherId: column<PublisherId | null>() },
)

export type StatementHeading = ResourceRow<typeof HEADING>
export type StatementId = Id<'statement'>
