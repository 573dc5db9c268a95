import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { get, post, Refused, type Schemas } from './client.ts'
import { FRESH_MS, PAGE_SIZE, page, parts, query, rows } from './query.ts'

type UserSearch = {
  readonly publisher?: string | undefined
  readonly user?: string | undefined
  readonly email?: string | undefined
  readonly status?: Schemas['ListAllUsersStatus'] | undefined
  readonly from?: string | undefined
  readonly until?: string | undefined
}

/** Queries the users of all publishers, newest first. */
export function allUsers({ publisher, user, from, until, ...search }: UserSearch) {
  const query = { publisher_id: publisher, publisher_user_id: user, start_date: from, end_date: until, ...search }
  return parts('/operator/users', { query: { ...query, limit: PAGE_SIZE } })
}

/**
 * Queries a user's publisher and the id that the publisher gave the user.
 * @throws Refused if there is no such user
 */
export function userById(userId: string) {
  return queryOptions({
    queryKey: ['operator', 'users', userId],
    queryFn: async () => only((await get('/operator/users', { query: { svc_user_id: userId } })).content),
    staleTime: FRESH_MS,
  })
}

type OwnUserSearch = {
  readonly user?: string | undefined
  readonly email?: string | undefined
  readonly page?: number | undefined
}

/** Queries the users of one publisher. */
export const users = (publisher: string, { user, email, page: number = 0 }: OwnUserSearch) =>
  page('/users', { publisher, query: { publisher_user_id: user, email, page: number, size: PAGE_SIZE } })

/**
 * Queries one user by searching the list, because the path for an identifier such as `status` would reach another
 * operation.
 */
export function user(publisher: string, name: string) {
  return queryOptions({
    queryKey: ['users', name, publisher],
    queryFn: async () => only((await get('/users', { publisher, query: { publisher_user_id: name } })).content),
    staleTime: FRESH_MS,
  })
}

function only<Row>([row]: readonly Row[]): Row {
  if (row === undefined) throw new Refused(404, { detail: 'There is no such user. Perhaps they were erased.' })
  return row
}

const ofUser = (publisher: string, name: string) => ({ publisher, path: { publisher_user_id: name } })

/** Queries a user's balances in each currency of the publisher. */
export const status = (publisher: string, name: string) =>
  query('/users/status/{publisher_user_id}', ofUser(publisher, name))

export const linkedCards = (publisher: string, name: string) =>
  query('/linker/linked-cards/{publisher_user_id}', ofUser(publisher, name))

export const acceptances = (publisher: string, name: string) =>
  rows('/users/{publisher_user_id}/acceptances', ofUser(publisher, name))

/** Queries the user's choices about marketing e-mail, latest first. */
export const marketingChoices = (publisher: string, name: string) =>
  rows('/users/{publisher_user_id}/marketing-choices', ofUser(publisher, name))

// A page shows the latest rows of each kind and links to the full list.
const latest = (publisher: string, name: string) => ({ publisher, query: { publisher_user_id: name, size: 10 } })

export const latestTransactions = (publisher: string, name: string) => query('/transactions', latest(publisher, name))
export const latestRedemptions = (publisher: string, name: string) => rows('/redemptions', latest(publisher, name))
export const latestClaims = (publisher: string, name: string) => rows('/claims', latest(publisher, name))

/** Queries a user's manual adjustments. Only the operating company sees who proposed them. */
export const adjustments = (publisher_id: string, publisher_user_id: string) =>
  rows('/operator/adjustments', { query: { publisher_id, publisher_user_id } })

// An erasure usually takes seconds.
const ERASURE_MS = 1_000

/** Queries the proof of an erasure, polling until the erasure is done. */
export function erasure(publisher: string, erasure_id: string) {
  return queryOptions({
    ...query('/erasures/{erasure_id}', { publisher, path: { erasure_id } }),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.status === 'done' ? false : ERASURE_MS),
  })
}

export const listedPublishers = ({ text }: { readonly text?: string | undefined }) =>
  parts('/operator/publishers', { query: { search_text: text } })

export const publisherDetail = (publisher_id: string) =>
  query('/operator/publishers/{publisher_id}', { path: { publisher_id } })

/** Queries how a purchase would be split. If the settings are invalid, the previous example stays on screen. */
export function split(body: Schemas['CommissionSplitRequest']) {
  return queryOptions({
    queryKey: ['split', body],
    queryFn: () => post('/operator/publishers/preview', { body }),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  })
}

export const keys = (publisher_id: string) =>
  rows('/operator/publishers/{publisher_id}/keys', { path: { publisher_id } })

export const assortment = (publisher_id: string) =>
  query('/operator/publishers/{publisher_id}/assortment', { path: { publisher_id } })

export const terms = rows('/operator/terms')

/** Queries the number of users that a revision would affect. */
export function termsPlan(body: Schemas['TermsPlanRequest']) {
  return queryOptions({
    queryKey: ['terms-plan', body],
    queryFn: () => post('/operator/terms/preview', { body }),
    placeholderData: keepPreviousData,
    staleTime: FRESH_MS,
  })
}

export const portalSettings = (publisher: string) => query('/portal/settings', { publisher })

export const portalTheme = (publisher: string, hue: number, chroma: number) => ({
  ...page('/portal/theme', { publisher, query: { hue, chroma } }),
  staleTime: Number.POSITIVE_INFINITY,
})

/** Queries the operating company's staff. */
export const staff = rows('/operator/staff')

/** Queries a publisher's staff. */
export const publisherStaff = (publisher: string) => rows('/staff', { publisher })

// The polling interval for the list while a report is being generated.
const REPORTS_MS = 3_000

export function reports(publisher: string, number: number) {
  return queryOptions({
    ...page('/reports', { publisher, query: { page: number, size: PAGE_SIZE } }),
    refetchInterval: ({ state }) =>
      state.data?.content.some(({ status }) => status === 'queued' || status === 'running') ? REPORTS_MS : false,
  })
}
