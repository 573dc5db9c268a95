import { queryOptions } from '@tanstack/react-query'
import { get, Refused, type Schemas } from './client.ts'
import { query, rows } from './query.ts'

const LONG_MS = 300_000
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

/** Queries the clock of a sandbox. */
export const clock = (publisher: string) => query('/sandbox/clock', { publisher })

export const catalogCategories = rows('/operator/categories')

export const linkedCards = (publisher: string, publisher_user_id: string) =>
  query('/linker/linked-cards/{publisher_user_id}', { publisher, path: { publisher_user_id } })
