import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { optional } from '../search.ts'
import { actingFor, api, bodyOf, Refused, type Schemas } from './client.ts'
import { FRESH_MS, REPLACED } from './lists.ts'
import { PAGE_SIZE } from './queries.ts'

type UserSearch = {
  readonly publisher?: string | undefined
  readonly user?: string | undefined
  readonly email?: string | undefined
  readonly status?: Schemas['ListAllUsersStatus'] | undefined
  readonly from?: string | undefined
  readonly until?: string | undefined
  readonly cursor?: string | undefined
}

/** Queries the users of all publishers, newest first. The cursor leads to the next page. */
export function allUsers(search: UserSearch) {
  const { publisher, user, email, status, from, until, cursor } = search
  const query = {
    ...optional({
      publisher_id: publisher,
      publisher_user_id: user,
      email,
      status,
      start_date: from,
      end_date: until,
      cursor,
    }),
    limit: PAGE_SIZE,
  }
  return queryOptions({
    queryKey: ['all-users', search],
    queryFn: () => bodyOf(api.GET('/operator/users', { params: { query } })),
    ...REPLACED,
  })
}

/**
 * Queries the publisher of a user, and the publisher's id for them.
 * @throws Refused if there is no such user
 */
export function userById(userId: string) {
  return queryOptions({
    queryKey: ['user-by-id', userId],
    queryFn: async () => {
      const params = { query: { svc_user_id: userId } }
      return only((await bodyOf(api.GET('/operator/users', { params }))).content)
    },
    staleTime: FRESH_MS,
  })
}

type OwnUserSearch = {
  readonly user?: string | undefined
  readonly email?: string | undefined
  readonly page?: number | undefined
}

/** Queries the users of one publisher. */
export function users(publisherId: string, search: OwnUserSearch) {
  const { user, email, page = 0 } = search
  const query = {
    ...optional({ publisher_user_id: user, email }),
    page,
    size: PAGE_SIZE,
  }
  return queryOptions({
    queryKey: ['users', publisherId, search],
    queryFn: () => bodyOf(api.GET('/users', { params: { query }, ...actingFor(publisherId) })),
    ...REPLACED,
  })
}

/**
 * Queries one user. It searches the list, because for an identifier such as `status` the path would reach another
 * operation.
 */
export function user(publisherId: string, name: string) {
  return queryOptions({
    queryKey: ['user', publisherId, name],
    queryFn: async () => {
      const params = { query: { publisher_user_id: name } }
      return only((await bodyOf(api.GET('/users', { params, ...actingFor(publisherId) }))).content)
    },
    staleTime: FRESH_MS,
  })
}

function only<Row>([row]: readonly Row[]): Row {
  if (row === undefined) throw new Refused(404, { detail: 'There is no such user. Perhaps they were erased.' })
  return row
}

const pathOf = (publisherId: string, name: string) => ({
  params: { path: { publisher_user_id: name } },
  ...actingFor(publisherId),
})

/** Queries a user's balances in each currency of the publisher. */
export function accounts(publisherId: string, name: string) {
  return queryOptions({
    queryKey: ['user', publisherId, name, 'accounts'],
    queryFn: async () =>
      (await bodyOf(api.GET('/users/status/{publisher_user_id}', pathOf(publisherId, name)))).accounts,
    staleTime: FRESH_MS,
  })
}

export function linkedCards(publisherId: string, name: string) {
  return queryOptions({
    queryKey: ['user', publisherId, name, 'cards'],
    queryFn: async () =>
      (await bodyOf(api.GET('/linker/linked-cards/{publisher_user_id}', pathOf(publisherId, name))))
        .linked_institutions,
    staleTime: FRESH_MS,
  })
}

export function acceptances(publisherId: string, name: string) {
  return queryOptions({
    queryKey: ['user', publisherId, name, 'acceptances'],
    queryFn: async () =>
      (await bodyOf(api.GET('/users/{publisher_user_id}/acceptances', pathOf(publisherId, name)))).content,
    staleTime: FRESH_MS,
  })
}

/** Queries the user's choices about marketing e-mail, latest first. */
export function marketingChoices(publisherId: string, name: string) {
  return queryOptions({
    queryKey: ['user', publisherId, name, 'marketing'],
    queryFn: async () =>
      (await bodyOf(api.GET('/users/{publisher_user_id}/marketing-choices', pathOf(publisherId, name)))).content,
    staleTime: FRESH_MS,
  })
}

// A page shows the latest of each kind, and links to all of them.
const LATEST = 10

export function latestTransactions(publisherId: string, name: string) {
  const params = { query: { publisher_user_id: name, size: LATEST } }
  return queryOptions({
    queryKey: ['user', publisherId, name, 'transactions'],
    queryFn: () => bodyOf(api.GET('/transactions', { params, ...actingFor(publisherId) })),
    staleTime: FRESH_MS,
  })
}

export function latestRedemptions(publisherId: string, name: string) {
  const params = { query: { publisher_user_id: name, size: LATEST } }
  return queryOptions({
    queryKey: ['user', publisherId, name, 'redemptions'],
    queryFn: async () => (await bodyOf(api.GET('/redemptions', { params, ...actingFor(publisherId) }))).content,
    staleTime: FRESH_MS,
  })
}

export function latestClaims(publisherId: string, name: string) {
  const params = { query: { publisher_user_id: name, size: LATEST } }
  return queryOptions({
    queryKey: ['user', publisherId, name, 'claims'],
    queryFn: async () => (await bodyOf(api.GET('/claims', { params, ...actingFor(publisherId) }))).content,
    staleTime: FRESH_MS,
  })
}

/** Queries a user's manual adjustments. Only the operating company sees who proposed them. */
export function adjustments(publisherId: string, name: string) {
  const query = { publisher_id: publisherId, publisher_user_id: name }
  return queryOptions({
    queryKey: ['user', publisherId, name, 'adjustments'],
    queryFn: async () => (await bodyOf(api.GET('/operator/adjustments', { params: { query } }))).content,
    staleTime: FRESH_MS,
  })
}

// An erasure usually takes seconds.
const ERASURE_MS = 1_000

/** Queries the proof of an erasure, and polls until it is done. */
export function erasure(publisherId: string, erasureId: string) {
  const params = { path: { erasure_id: erasureId } }
  return queryOptions({
    queryKey: ['erasure', erasureId],
    queryFn: () => bodyOf(api.GET('/erasures/{erasure_id}', { params, ...actingFor(publisherId) })),
    refetchInterval: ({ state }) => (state.data?.status === 'done' ? false : ERASURE_MS),
  })
}

type PublisherSearch = { readonly text?: string | undefined; readonly page?: number | undefined }

export function listedPublishers({ text, page = 0 }: PublisherSearch) {
  const query = { ...optional({ search_text: text }), page, size: PAGE_SIZE }
  return queryOptions({
    queryKey: ['publishers', 'listed', text, page],
    queryFn: () => bodyOf(api.GET('/operator/publishers', { params: { query } })),
    ...REPLACED,
  })
}

export function publisherDetail(publisherId: string) {
  const params = { path: { publisher_id: publisherId } }
  return queryOptions({
    queryKey: ['publishers', 'detail', publisherId],
    queryFn: () => bodyOf(api.GET('/operator/publishers/{publisher_id}', { params })),
    staleTime: FRESH_MS,
  })
}

/** Queries how a purchase would be split. If the settings are refused, the previous example stays on the screen. */
export function split(body: Schemas['CommissionSplitRequest']) {
  return queryOptions({
    queryKey: ['split', body],
    queryFn: () => bodyOf(api.POST('/operator/publishers/preview', { body })),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  })
}

export function keys(publisherId: string) {
  const params = { path: { publisher_id: publisherId } }
  return queryOptions({
    queryKey: ['keys', publisherId],
    queryFn: async () => (await bodyOf(api.GET('/operator/publishers/{publisher_id}/keys', { params }))).content,
    staleTime: FRESH_MS,
  })
}

export function assortment(publisherId: string) {
  const params = { path: { publisher_id: publisherId } }
  return queryOptions({
    queryKey: ['assortment', publisherId],
    queryFn: () => bodyOf(api.GET('/operator/publishers/{publisher_id}/assortment', { params })),
    staleTime: FRESH_MS,
  })
}

export const terms = queryOptions({
  queryKey: ['terms'],
  queryFn: async () => (await bodyOf(api.GET('/operator/terms'))).content,
  staleTime: FRESH_MS,
})

/** Queries how many users a revision would affect. */
export function termsPlan(body: Schemas['TermsPlanRequest']) {
  return queryOptions({
    queryKey: ['terms', 'plan', body],
    queryFn: () => bodyOf(api.POST('/operator/terms/preview', { body })),
    ...REPLACED,
  })
}

export function portalSettings(publisherId: string) {
  return queryOptions({
    queryKey: ['portal-settings', publisherId],
    queryFn: () => bodyOf(api.GET('/portal/settings', actingFor(publisherId))),
    staleTime: FRESH_MS,
  })
}

export function portalTheme(publisherId: string, hue: number, chroma: number) {
  const params = { query: { hue, chroma } }
  return queryOptions({
    queryKey: ['portal-theme', hue, chroma],
    queryFn: () => bodyOf(api.GET('/portal/theme', { params, ...actingFor(publisherId) })),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** Queries the operating company's staff. */
export const staff = queryOptions({
  queryKey: ['staff'],
  queryFn: async () => (await bodyOf(api.GET('/operator/staff'))).content,
  staleTime: FRESH_MS,
})

/** Queries a publisher's staff. */
export function publisherStaff(publisherId: string) {
  return queryOptions({
    queryKey: ['staff', publisherId],
    queryFn: async () => (await bodyOf(api.GET('/staff', actingFor(publisherId)))).content,
    staleTime: FRESH_MS,
  })
}

// The list is polled this often while a report is being generated.
const REPORTS_MS = 3_000

export function reports(publisherId: string, page: number) {
  const params = { query: { page, size: PAGE_SIZE } }
  return queryOptions({
    queryKey: ['reports', publisherId, page],
    queryFn: () => bodyOf(api.GET('/reports', { params, ...actingFor(publisherId) })),
    ...REPLACED,
    refetchInterval: ({ state }) =>
      state.data?.content.some(({ status }) => status === 'queued' || status === 'running') ? REPORTS_MS : false,
  })
}
