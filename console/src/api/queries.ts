import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { optional } from '../search.ts'
import { actingFor, api, bodyOf, Refused, type Schemas } from './client.ts'
import { BY_CURSOR, FRESH_MS, fromCursor, REPLACED } from './lists.ts'

const LONG_MS = 300_000
const DAY_MS = 86_400_000
// Waiting work is counted again this often without a reload.
const DESK_MS = 30_000

/**
 * The signed-in person: either from the operating company, with the permissions of their role, or from one publisher.
 */
export type Person = Schemas['SignedInPerson'] & { readonly permissions: readonly Schemas['OperatorPermission'][] }

export const me = queryOptions({
  queryKey: ['me'],
  queryFn: async (): Promise<Person> => {
    // Requested concurrently, so that slow connections wait only once. The second request refuses publishers' staff.
    const [person, operator] = await Promise.all([
      bodyOf(api.GET('/accounts/me')),
      bodyOf(api.GET('/operator/me')).catch((error: unknown) => {
        if (error instanceof Refused) return null
        throw error
      }),
    ])
    return { ...person, permissions: operator?.permissions ?? [] }
  },
  meta: { guards: true },
  staleTime: LONG_MS,
})

/** Queries the same person's account, including what they changed there a moment ago. */
export const account = queryOptions({
  queryKey: ['account'],
  queryFn: () => bodyOf(api.GET('/accounts/me')),
  meta: { guards: true },
  staleTime: FRESH_MS,
})

export const sessions = queryOptions({
  queryKey: ['sessions'],
  queryFn: async () => (await bodyOf(api.GET('/accounts/sessions'))).content,
  staleTime: FRESH_MS,
})

/** Queries the same person's passkeys, and the origin that the passkeys are bound to. */
export const passkeys = queryOptions({
  queryKey: ['passkeys'],
  queryFn: () => bodyOf(api.GET('/accounts/passkeys')),
  staleTime: FRESH_MS,
})

export const desk = queryOptions({
  queryKey: ['desk'],
  queryFn: () => bodyOf(api.GET('/operator/desk')),
  staleTime: FRESH_MS,
  refetchInterval: DESK_MS,
})

/** The members of a publisher that are displayed wherever it is named. */
export type NamedPublisher = Pick<
  Schemas['OwnPublisher'],
  'publisher_id' | 'name' | 'environment' | 'currency' | 'time_zone'
>

/** Queries the publishers that the person may look at. */
export const publishers = queryOptions({
  queryKey: ['publishers'],
  queryFn: async ({ client }): Promise<readonly NamedPublisher[]> => {
    const { publisher_id } = await client.ensureQueryData(me)
    return publisher_id === null
      ? (await bodyOf(api.GET('/operator/publishers', { params: { query: { size: 100 } } }))).content
      : [await bodyOf(api.GET('/publishers/me', actingFor(publisher_id)))]
  },
  staleTime: LONG_MS,
})

/** Queries a publisher, and what the person may do on its behalf. */
export function ownPublisher(publisherId: string) {
  return queryOptions({
    queryKey: ['own-publisher', publisherId],
    queryFn: () => bodyOf(api.GET('/publishers/me', actingFor(publisherId))),
    staleTime: LONG_MS,
  })
}

/** Queries one publisher's money by state and over time, purchases, feeds and webhooks. */
export function overview(publisherId: string) {
  return queryOptions({
    queryKey: ['overview', publisherId],
    queryFn: () => bodyOf(api.GET('/operator/overview', { params: { query: { publisher_id: publisherId } } })),
    staleTime: DESK_MS,
    refetchInterval: DESK_MS,
  })
}

export type TransactionSearch = {
  readonly status?: Schemas['TransactionStatus'] | undefined
  readonly text?: string | undefined
  readonly user?: string | undefined
  readonly page?: number | undefined
}

export const PAGE_SIZE = 30

/** Builds the query parameters for a filter. */
export function transactionQuery({ status, text, user }: TransactionSearch) {
  return {
    ...(status === undefined ? {} : { status }),
    ...(text === undefined ? {} : { search_text: text }),
    ...(user === undefined ? {} : { publisher_user_id: user }),
  }
}

export function transactions(publisherId: string, search: TransactionSearch) {
  const query = { ...transactionQuery(search), page: search.page ?? 0, size: PAGE_SIZE }
  return queryOptions({
    queryKey: ['transactions', publisherId, search],
    queryFn: () => bodyOf(api.GET('/transactions', { params: { query }, ...actingFor(publisherId) })),
    ...REPLACED,
  })
}

export function transaction(publisherId: string, uid: string) {
  const params = { path: { transaction_uid: uid } }
  return queryOptions({
    queryKey: ['transaction', publisherId, uid],
    queryFn: () => bodyOf(api.GET('/transactions/{transaction_uid}', { params, ...actingFor(publisherId) })),
    staleTime: FRESH_MS,
  })
}

/** Queries the source events of a purchase, in the order they were reported. */
export function reportedEvents(publisherId: string, uid: string) {
  const params = { path: { transaction_uid: uid } }
  return queryOptions({
    queryKey: ['reported-events', publisherId, uid],
    queryFn: async () =>
      (await bodyOf(api.GET('/transactions/{transaction_uid}/events', { params, ...actingFor(publisherId) }))).content,
    staleTime: FRESH_MS,
  })
}

export function decision(publisherId: string, uid: string) {
  const params = { path: { transaction_uid: uid } }
  return queryOptions({
    queryKey: ['decision', publisherId, uid],
    // Without `view`, the response is the whole decision.
    queryFn: async () =>
      (await bodyOf(
        api.GET('/transactions/{transaction_uid}/decision', { params, ...actingFor(publisherId) }),
      )) as Schemas['Decision'],
    staleTime: FRESH_MS,
  })
}

/** Queries the postings of a purchase, journal by journal. */
export function postings(publisherId: string, uid: string) {
  const params = { path: { transaction_uid: uid } }
  return queryOptions({
    queryKey: ['postings', publisherId, uid],
    queryFn: async () =>
      (await bodyOf(api.GET('/transactions/{transaction_uid}/postings', { params, ...actingFor(publisherId) })))
        .content,
    staleTime: FRESH_MS,
  })
}

/** Queries the events about a purchase, with every delivery of each. */
export function announcements(publisherId: string, uid: string) {
  const params = { path: { transaction_uid: uid } }
  return queryOptions({
    queryKey: ['announcements', publisherId, uid],
    queryFn: async () =>
      (await bodyOf(api.GET('/transactions/{transaction_uid}/announcements', { params, ...actingFor(publisherId) })))
        .content,
    staleTime: FRESH_MS,
  })
}

const LINES_AT_ONCE = 1000

/** Queries all credits and debits of a user's account, oldest first. */
export function statement(publisherId: string, user: string) {
  return queryOptions({
    queryKey: ['statement', publisherId, user],
    queryFn: async () => {
      const path = { publisher_user_id: user }
      const lines: Schemas['UserStatement']['content'] = []
      for (let after: { after?: string } = {}; ; ) {
        const params = { path, query: { size: LINES_AT_ONCE, ...after } }
        const part = await bodyOf(
          api.GET('/users/{publisher_user_id}/statement', { params, ...actingFor(publisherId) }),
        )
        lines.push(...part.content)
        if (part.next_after === null) return { ...part, content: lines }
        after = { after: part.next_after }
      }
    },
    staleTime: FRESH_MS,
  })
}

// A reviewer decides a hundred in a few minutes, without waiting for another page.
const REVIEWS_AT_ONCE = 100

export const reviews = queryOptions({
  queryKey: ['reviews'],
  queryFn: () => bodyOf(api.GET('/operator/reviews', { params: { query: { status: 'OPEN', size: REVIEWS_AT_ONCE } } })),
  staleTime: FRESH_MS,
})

/** Queries a review, with the effects of an answer on all publishers. */
export function review(reviewUid: string) {
  const params = { path: { review_uid: reviewUid } }
  return queryOptions({
    queryKey: ['review', reviewUid],
    queryFn: () => bodyOf(api.GET('/operator/reviews/{review_uid}', { params })),
    staleTime: FRESH_MS,
  })
}

export const decidedReviews = infiniteQueryOptions({
  queryKey: ['decided-reviews'],
  queryFn: ({ pageParam }) => {
    const query = { status: 'DECIDED', size: PAGE_SIZE, page: pageParam } as const
    return bodyOf(api.GET('/operator/reviews', { params: { query } }))
  },
  initialPageParam: 0,
  getNextPageParam: ({ total_elements }, _pages, page) =>
    (page + 1) * PAGE_SIZE < total_elements ? page + 1 : undefined,
  staleTime: FRESH_MS,
})

export function claims(status: Schemas['ClaimStatus']) {
  return queryOptions({
    queryKey: ['claims', status],
    queryFn: async () => (await bodyOf(api.GET('/operator/claims', { params: { query: { status } } }))).content,
    ...REPLACED,
  })
}

export function claim(claimId: string) {
  return queryOptions({
    queryKey: ['claim', claimId],
    queryFn: () => bodyOf(api.GET('/operator/claims/{claim_id}', { params: { path: { claim_id: claimId } } })),
    staleTime: FRESH_MS,
  })
}

export function redemptions(status: Schemas['ListOpenRedemptionsStatus']) {
  return queryOptions({
    queryKey: ['redemptions', status],
    queryFn: async () => (await bodyOf(api.GET('/operator/redemptions', { params: { query: { status } } }))).content,
    ...REPLACED,
  })
}

export const payoutFiles = queryOptions({
  queryKey: ['payout-files'],
  queryFn: async () => (await bodyOf(api.GET('/operator/payout-files'))).content,
  staleTime: FRESH_MS,
})

export const failedFacts = queryOptions({
  queryKey: ['failed-facts'],
  queryFn: async () => (await bodyOf(api.GET('/operator/facts/failed'))).content,
  staleTime: FRESH_MS,
})

export type AuditSearch = {
  readonly subject?: string | undefined
  readonly actor?: string | undefined
  readonly action?: string | undefined
  /** The first and last day, in the reader's time zone. */
  readonly from?: string | undefined
  readonly to?: string | undefined
}

export function audit({ subject, actor, action, from, to }: AuditSearch) {
  const query = {
    ...(subject === undefined ? {} : { subject }),
    ...(actor === undefined ? {} : { actor }),
    ...(action === undefined ? {} : { action }),
    ...(from === undefined ? {} : { from: new Date(`${from}T00:00:00`).toISOString() }),
    ...(to === undefined ? {} : { to: new Date(new Date(`${to}T00:00:00`).getTime() + DAY_MS).toISOString() }),
  }
  return infiniteQueryOptions({
    queryKey: ['audit', query],
    queryFn: ({ pageParam }) =>
      bodyOf(api.GET('/operator/audit', { params: { query: { ...query, ...fromCursor(pageParam) } } })),
    ...BY_CURSOR,
  })
}

export function deliveries(publisherId: string, status: Schemas['WebhookDeliveryStatus'] | undefined, page: number) {
  const query = { ...optional({ status }), page, size: PAGE_SIZE }
  return queryOptions({
    queryKey: ['deliveries', publisherId, status, page],
    queryFn: () => bodyOf(api.GET('/webhooks/deliveries', { params: { query }, ...actingFor(publisherId) })),
    ...REPLACED,
  })
}

/** Queries what a delivery sends, and the outcome of each attempt. */
export function delivery(publisherId: string, deliveryId: string) {
  const params = { path: { delivery_id: deliveryId } }
  return queryOptions({
    queryKey: ['deliveries', publisherId, deliveryId],
    queryFn: () =>
      bodyOf(api.GET('/webhooks/deliveries/{delivery_id}/attempts', { params, ...actingFor(publisherId) })),
    staleTime: FRESH_MS,
  })
}

export function endpoints(publisherId: string) {
  return queryOptions({
    queryKey: ['endpoints', publisherId],
    queryFn: async () => (await bodyOf(api.GET('/webhooks/endpoints', actingFor(publisherId)))).content,
    staleTime: FRESH_MS,
  })
}

export function clock(publisherId: string) {
  return queryOptions({
    queryKey: ['clock', publisherId],
    queryFn: () => bodyOf(api.GET('/sandbox/clock', actingFor(publisherId))),
    staleTime: FRESH_MS,
  })
}

/** Queries how many codes of an offer are in each state. */
export function voucherPools(offerUid: string) {
  const params = { path: { offer_uid: offerUid } }
  return queryOptions({
    queryKey: ['voucher-pools', offerUid],
    queryFn: () => bodyOf(api.GET('/operator/voucher-pools/{offer_uid}', { params })),
    staleTime: FRESH_MS,
  })
}

/** Fewer than in other lists, because each brand takes at least one card, which is larger than a row. */
const LISTED_SIZE = 12

type ListedSearch = { readonly user: string; readonly text: string; readonly page: number }

/** Queries a publisher's brands with what they currently offer a user. */
export function listedBrands(publisherId: string, { user, text, page }: ListedSearch) {
  const query = {
    publisher_user_id: user,
    ...(text === '' ? {} : { search_text: text }),
    page,
    size: LISTED_SIZE,
  }
  return queryOptions({
    queryKey: ['listed-brands', publisherId, query],
    queryFn: () => bodyOf(api.GET('/publishers/brands', { params: { query }, ...actingFor(publisherId) })),
    ...REPLACED,
  })
}
