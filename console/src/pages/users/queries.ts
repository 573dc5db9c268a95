import { queryOptions } from '@tanstack/react-query'
import { get, Refused, type Schemas } from '../../api/client.ts'
import { FRESH_MS, PAGE_SIZE, query, rows } from '../../api/query.ts'
import { choice, day, own, publisher } from '../../lists/filters.ts'
import { operatorList, publisherList } from '../../lists/list.ts'

/** The users of all publishers, newest first. */
export const ALL_USERS = operatorList(
  '/operator/users',
  {
    publisher_user_id: own,
    email: own,
    publisher_id: publisher('Every publisher'),
    start_date: day('Registered from'),
    end_date: day('until'),
    status: choice('Status', { ACTIVE: 'Active', PENDING: 'Terms not accepted', INACTIVE: 'Deactivated' }),
  },
  { limit: PAGE_SIZE },
)

/** The users of one publisher. */
export const USERS = publisherList('/users', { publisher_user_id: own, email: own }, PAGE_SIZE)

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

export const acceptances = (publisher: string, name: string) =>
  rows('/users/{publisher_user_id}/acceptances', ofUser(publisher, name))

/** Queries the user's choices about marketing email, latest first. */
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
