import { queryOptions } from '@tanstack/react-query'
import { get, Refused, type Schemas } from './client.ts'
import { FRESH_MS, PAGE_SIZE, page, parts, query, rows } from './query.ts'

const LONG_MS = 300_000
const DAY_MS = 86_400_000
// The polling interval for the counts of the work queues.
const DESK_MS = 30_000

/**
 * The signed-in person: either from the operating company, with the permissions of their role, or from one publisher.
 */
export type Person = Schemas['SignedInPerson'] & { readonly permissions: readonly Schemas['OperatorPermission'][] }

export const me = queryOptions({
  queryKey: ['me'],
  queryFn: async (): Promise<Person> => {
    // Sends both requests concurrently, so that slow connections wait only once. The second is rejected for publishers'
    // staff.
    const [person, operator] = await Promise.all([
      get('/accounts/me'),
      get('/operator/me').catch((error: unknown) => {
        if (error instanceof Refused) return null
        throw error
      }),
    ])
    return { ...person, permissions: operator?.permissions ?? [] }
  },
  meta: { guards: true },
  staleTime: LONG_MS,
})

/** Queries the signed-in person's account. Unlike `me`, includes changes made a moment ago. */
export const account = { ...query('/accounts/me'), meta: { guards: true } }
export const sessions = rows('/accounts/sessions')
/** Queries the signed-in person's passkeys and the origin to which they are bound. */
export const passkeys = query('/accounts/passkeys')

export const desk = { ...query('/operator/desk'), refetchInterval: DESK_MS }

/** The fields of a publisher that are displayed wherever the publisher appears. */
export type NamedPublisher = Pick<
  Schemas['OwnPublisher'],
  'publisher_id' | 'name' | 'environment' | 'currency' | 'time_zone'
>

/** Queries the publishers that the person may view. */
export const publishers = queryOptions({
  queryKey: ['publishers'],
  queryFn: async ({ client }): Promise<readonly NamedPublisher[]> => {
    const { publisher_id: publisher } = await client.ensureQueryData(me)
    return publisher === null ? await readPublishers() : [await get('/publishers/me', { publisher })]
  },
  staleTime: LONG_MS,
})

async function readPublishers(): Promise<NamedPublisher[]> {
  const all: NamedPublisher[] = []
  for (let part: { cursor?: string } = {}; ; ) {
    const { content, next_cursor } = await get('/operator/publishers', { query: { limit: 500, ...part } })
    all.push(...content)
    if (next_cursor === null) return all
    part = { cursor: next_cursor }
  }
}

/** Queries a publisher and what the person may do on its behalf. */
export const ownPublisher = (publisher: string) => ({ ...query('/publishers/me', { publisher }), staleTime: LONG_MS })

/** Queries one publisher's money by state and over time, purchases, feeds and webhooks. */
export const overview = (publisher_id: string) => ({
  ...query('/operator/overview', { query: { publisher_id } }),
  staleTime: DESK_MS,
  refetchInterval: DESK_MS,
})

export type TransactionSearch = {
  readonly status?: Schemas['TransactionStatus'] | undefined
  readonly text?: string | undefined
  readonly user?: string | undefined
  readonly page?: number | undefined
}

/** Builds the query parameters for a filter. */
export const transactionQuery = ({ status, text, user }: TransactionSearch) => ({
  status,
  search_text: text,
  publisher_user_id: user,
})

export const transactions = (publisher: string, { page: number = 0, ...search }: TransactionSearch) =>
  page('/transactions', { publisher, query: { ...transactionQuery(search), page: number, size: PAGE_SIZE } })

const ofTransaction = (publisher: string, uid: string) => ({ publisher, path: { transaction_uid: uid } })

export const transaction = (publisher: string, uid: string) =>
  query('/transactions/{transaction_uid}', ofTransaction(publisher, uid))

/** Queries a purchase's source events in the order they were reported. */
export const reportedEvents = (publisher: string, uid: string) =>
  rows('/transactions/{transaction_uid}/events', ofTransaction(publisher, uid))

export const decision = (publisher: string, uid: string) => ({
  ...query('/transactions/{transaction_uid}/decision', ofTransaction(publisher, uid)),
  // The response is the full decision because `view` is not set.
  select: (data: unknown) => data as Schemas['Decision'],
})

/** Queries the postings of a purchase, journal by journal. */
export const postings = (publisher: string, uid: string) =>
  rows('/transactions/{transaction_uid}/postings', ofTransaction(publisher, uid))

/** Queries the events about a purchase, with every delivery of each. */
export const announcements = (publisher: string, uid: string) =>
  rows('/transactions/{transaction_uid}/announcements', ofTransaction(publisher, uid))

const LINES_AT_ONCE = 1000

/** Queries every change of a user's balance, oldest first. */
export function statement(publisher: string, user: string) {
  const path = { publisher_user_id: user }
  return queryOptions({
    queryKey: ['users', user, publisher, 'statement'],
    queryFn: async () => {
      const lines: Schemas['UserStatement']['content'] = []
      for (let after: string | undefined; ; ) {
        const query = { size: LINES_AT_ONCE, after }
        const part = await get('/users/{publisher_user_id}/statement', { publisher, path, query })
        lines.push(...part.content)
        if (part.next_after === null) return { ...part, content: lines }
        after = part.next_after
      }
    },
    staleTime: FRESH_MS,
  })
}

/** Queries all publishers' open or decided reviews, a hundred at a time. */
export const reviews = (status: Schemas['ReviewStatus']) => parts('/operator/reviews', { query: { status } })

/** Queries a review, with the effects of an answer on all publishers. */
export const review = (review_uid: string) => query('/operator/reviews/{review_uid}', { path: { review_uid } })

export const claims = (status: Schemas['ClaimStatus']) => parts('/operator/claims', { query: { status } })
export const claim = (claim_id: string) => query('/operator/claims/{claim_id}', { path: { claim_id } })

export const redemptions = (status: Schemas['ListOpenRedemptionsStatus']) =>
  parts('/operator/redemptions', { query: { status } })
export const payoutFiles = parts('/operator/payout-files')

export const failedFacts = rows('/operator/facts/failed')

export type AuditSearch = {
  readonly subject?: string | undefined
  readonly actor?: string | undefined
  readonly action?: string | undefined
  /** The first and last day, in the reader's time zone. */
  readonly from?: string | undefined
  readonly to?: string | undefined
}

export function audit({ from, to, ...search }: AuditSearch) {
  const start = (day: string) => new Date(`${day}T00:00:00`).getTime()
  const days = {
    from: from && new Date(start(from)).toISOString(),
    to: to && new Date(start(to) + DAY_MS).toISOString(),
  }
  return parts('/operator/audit', { query: { ...search, ...days } })
}

export const deliveries = (publisher: string, status: Schemas['WebhookDeliveryStatus'] | undefined, number: number) =>
  page('/webhooks/deliveries', { publisher, query: { status, page: number, size: PAGE_SIZE } })

/** Queries the content of a delivery and the outcome of each attempt. */
export const delivery = (publisher: string, delivery_id: string) =>
  query('/webhooks/deliveries/{delivery_id}/attempts', { publisher, path: { delivery_id } })

export const endpoints = (publisher: string) => rows('/webhooks/endpoints', { publisher })

export const clock = (publisher: string) => query('/sandbox/clock', { publisher })

/** Counts an offer's voucher codes by state. */
export const voucherPools = (offer_uid: string) => query('/operator/voucher-pools/{offer_uid}', { path: { offer_uid } })

/** Smaller than in other lists, because each brand takes up at least one card, which is larger than a row. */
const LISTED_SIZE = 12

type ListedSearch = { readonly user: string; readonly text: string; readonly page: number }

/** Queries a publisher's brands with their current offers for a user. */
export const listedBrands = (publisher: string, { user, text, page: number }: ListedSearch) =>
  page('/publishers/brands', {
    publisher,
    query: { publisher_user_id: user, search_text: text || undefined, page: number, size: LISTED_SIZE },
  })
