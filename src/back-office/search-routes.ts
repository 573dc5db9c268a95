import Type, { type Static } from 'typebox'
import { type Catalog, type CatalogOperatorDeps, searchBrands } from '../catalog/catalog/index.ts'
import { toDay } from '../platform/calendar.ts'
import type { Reader } from '../platform/db/database.ts'
import { enumField, factField, namedObject, nullable, strictObject } from '../platform/http/index.ts'
import { decodeId, decodeUuidTime, encodeId, toUserId } from '../platform/ids.ts'
import { SOURCES } from '../purchases/transactions/index.ts'
import { getPermissions, type OperatorOperation } from '../tenants/access/index.ts'
import { listPublishers, type Publisher } from '../tenants/publishers/index.ts'
import {
  type FoundRow,
  findById,
  findDeliveriesByEvent,
  findReported,
  findStaffAt,
  findUsersCalled,
  IDENTIFIED_KINDS,
  type IdentifiedKind,
  KINDS,
} from './search-queries.ts'

// The maximum number of results of each kind. The list operations return the rest.
const HITS_MAX = 5

const HitSchema = namedObject('SearchHit', {
  kind: enumField([...IDENTIFIED_KINDS, 'brand', 'offer'], 'Type of the object.'),
  id: Type.String({ description: 'ID of the object.' }),
  title: Type.String({ description: 'Title of the object.' }),
  publisher_id: nullable(Type.String({ description: 'The publisher it belongs to, or null if it belongs to none.' })),
  publisher_name: nullable(Type.String({ description: 'Name of the publisher.' })),
  svc_user_id: nullable(Type.String({ description: 'The user it concerns.' })),
  brand_uid: nullable(Type.String({ description: 'The brand of an offer.' })),
})
type ShownHit = Static<typeof HitSchema>

/** Registers the route that finds anything by ID, email address or name. */
export function operatorSearchRoutes(
  operation: OperatorOperation,
  { db: { reader }, catalog, clock }: CatalogOperatorDeps,
): void {
  operation('GET /operator/search', {
    config: { permission: 'search:read' },
    id: 'searchEverything',
    summary: 'Search everything by ID, email address or name',
    description: `Finds only what the role may read: whole ids of anything (for an event, its first delivery to each endpoint); email addresses of users and staff; users' identifiers; ids of reported events; names of publishers, brands and offers. At most ${HITS_MAX} of each kind.`,
    query: strictObject({ q: factField(255, 'The text to search for.') }),
    answer: Type.Object({ content: Type.Array(HitSchema) }),
    example: {
      content: [
        {
          kind: 'user',
          id: 'usr_6n8m1v3w9f8x2r5t7y0qzkc4ha',
          title: 'ada@example.com',
          publisher_id: 'pub_01kbjyt5v3f4nvj5yq5yfypr9v',
          publisher_name: 'Acme Rewards',
          svc_user_id: 'usr_6n8m1v3w9f8x2r5t7y0qzkc4ha',
          brand_uid: null,
        },
      ],
    },
    handler: async ({ query, operator }) => {
      const text = query.q.trim()
      const permissions = getPermissions(operator.role)
      const sees = (kind: IdentifiedKind): boolean => permissions.includes(KINDS[kind].permission)
      const [publishers, current] = await Promise.all([listPublishers(reader), catalog.current()])
      const identified = await findIdentified(reader, publishers, text, sees, clock.now())
      if (identified.length > 0) return { content: identified }
      const named = await findNamed(reader, publishers, text, sees)
      return { content: [...named, ...findInCatalog(current, text, toDay(clock.now(), 'UTC'))] }
    },
  })
}

/** Finds the object with an ID, whose prefix determines the kind. A bare UUID is looked up as every kind. */
async function findIdentified(
  reader: Reader,
  publishers: readonly Publisher[],
  text: string,
  sees: (kind: IdentifiedKind) => boolean,
  now: Date,
): Promise<ShownHit[]> {
  const found = await Promise.all(
    IDENTIFIED_KINDS.filter(sees).map(async (kind) => {
      const id = decodeId(KINDS[kind].prefix, text)
      return id === null ? [] : (await findById(reader, kind, id)).map((row) => presentHit(kind, row, publishers))
    }),
  )
  const hits = found.flat()
  // An event has no page of its own, but its deliveries do. Finding them can require reading a full day's deliveries,
  // so the search is skipped if the UUID has already been found or its time is in the future.
  const eventId = hits.length > 0 || !sees('webhook_delivery') ? null : decodeId('evt', text)
  if (eventId === null || decodeUuidTime(eventId) > now) return hits
  const deliveries = await findDeliveriesByEvent(reader, eventId, HITS_MAX)
  return deliveries.map((row) => presentHit('webhook_delivery', row, publishers))
}

async function findNamed(
  reader: Reader,
  publishers: readonly Publisher[],
  text: string,
  sees: (kind: IdentifiedKind) => boolean,
): Promise<ShownHit[]> {
  const lower = text.toLowerCase()
  const ids = publishers.map(({ id }) => id)
  const called = ids.map((id) => toUserId(id, text))
  const [users, staff, reported] = await Promise.all([
    sees('user') ? findUsersCalled(reader, ids, called, text, HITS_MAX) : [],
    sees('account') ? findStaffAt(reader, text) : [],
    sees('transaction') ? findReported(reader, ids, SOURCES, text, HITS_MAX) : [],
  ])
  return [
    ...publishers
      .filter(({ name }) => name.toLowerCase().includes(lower))
      .slice(0, HITS_MAX)
      .map(({ id, name }) =>
        presentHit('publisher', { uuid: id, title: name, publisherId: id, userId: null }, publishers),
      ),
    ...users.map((row) => presentHit('user', row, publishers)),
    ...staff.map((row) => presentHit('account', row, publishers)),
    ...reported.map((row) => presentHit('transaction', row, publishers)),
  ]
}

function presentHit(kind: IdentifiedKind, row: FoundRow, publishers: readonly Publisher[]): ShownHit {
  return {
    kind,
    id: encodeId(KINDS[kind].prefix, row.uuid),
    title: row.title,
    publisher_id: row.publisherId === null ? null : encodeId('pub', row.publisherId),
    publisher_name: publishers.find(({ id }) => id === row.publisherId)?.name ?? null,
    svc_user_id: row.userId === null ? null : encodeId('usr', row.userId),
    brand_uid: null,
  }
}

function findInCatalog(catalog: Catalog, text: string, day: Parameters<typeof searchBrands>[2]): ShownHit[] {
  const nobody = { publisher_id: null, publisher_name: null, svc_user_id: null }
  const brand = catalog.brands.get(text)
  const offer = catalog.offers.get(text)
  const brands = brand === undefined ? searchBrands(catalog, text, day, HITS_MAX) : [brand]
  return [
    ...brands.map(
      ({ brandUid, name }): ShownHit => ({ kind: 'brand', id: brandUid, title: name, ...nobody, brand_uid: null }),
    ),
    ...(offer === undefined
      ? []
      : [{ kind: 'offer' as const, id: offer.offerUid, title: offer.name, ...nobody, brand_uid: offer.brandUid }]),
  ]
}
