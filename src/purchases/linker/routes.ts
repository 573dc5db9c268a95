import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import type { Reader } from '../../platform/db/database.ts'
import { createRateLimiter } from '../../platform/http/callers/rate-limit.ts'
import type { App } from '../../platform/http/index.ts'
import { type LinkWithCards, listLinks } from '../../sources/cards/index.ts'
import {
  findRepeatedAnswer,
  getCallingPublisher,
  type PublisherOperation,
  publisherOperations,
  rememberAnswer,
} from '../../tenants/access/index.ts'
import { type Publisher, publisherNow } from '../../tenants/publishers/index.ts'
import { getUser } from '../../users/users/index.ts'
import type { LinkerDeps } from './deps.ts'
import { listKnownInstitutions } from './institutions/institutions.ts'
import { requestRuns } from './item-queries.ts'
import { breakLogin } from './links/break.ts'
import { type Conclusion, type LinkRequest, linkAccessToken, linkPublicToken } from './links/link.ts'
import { createLinkToken, type LinkTarget, linkNotFound } from './links/link-tokens.ts'
import { unlinkInstitution } from './links/unlink.ts'
import {
  AccessTokenBody,
  LINKED_INSTITUTION,
  LinkedInstitutionsSchema,
  LinkParams,
  LinkTokenSchema,
  linkTokenExample,
  PublicTokenBody,
  presentInstitutions,
  ReturnQuery,
  UNLINKED_INSTITUTION,
  UserParams,
} from './schema.ts'

/** Registers the card linking operations that need the publisher's key. */
export function linkerRoutes(app: App, deps: LinkerDeps): void {
  const operation = publisherOperations(app, deps, 'Card linking')
  linkTokenRoutes(operation, deps)
  tokenRoutes(operation, deps)
  unlinkRoute(operation, deps)
  linkedCardRoutes(operation, deps)
  breakRoute(publisherOperations(app, deps, 'Sandbox'), deps)
}

const OF_PROVIDER = ['linker_failed', 'linker_not_configured', 'linker_unavailable', 'linker_timeout'] as const
const READ = { scope: 'linker:read' } as const
const WRITE = { scope: 'linker:write' } as const

function linkTokenRoutes(operation: PublisherOperation, deps: LinkerDeps): void {
  const limits = createRateLimiter()
  const common = {
    query: ReturnQuery,
    answer: LinkTokenSchema,
    example: linkTokenExample,
    refusals: [
      'redirect_uri_and_android_package',
      'redirect_uri_not_allowed',
      'android_package_not_allowed',
      'user_not_found',
      'link_not_found',
      'user_not_active',
      ...OF_PROVIDER,
    ],
  }
  const tokenFor = async (publisher: Publisher, query: Static<typeof ReturnQuery>, target: LinkTarget) => {
    // Blank means absent, because Android clients leave redirect_uri blank.
    const returnTo = { redirectUri: query.redirect_uri || null, androidPackageName: query.android_package_name || null }
    const { hosted, hosted_lifetime_seconds: lifetimeSeconds = null } = query
    const opening = { ...returnTo, hosted: hosted === 'true' ? { lifetimeSeconds } : null }
    const { linkToken, expiration, linkUrl } = await createLinkToken(deps, limits, publisher, target, opening)
    return { link_token: linkToken, expiration, ...(linkUrl === null ? {} : { link_url: linkUrl }) }
  }
  operation('GET /linker/link-token/:publisher_user_id', {
    config: WRITE,
    ...common,
    id: 'createLinkToken',
    summary: 'Create a link token for a first link',
    description:
      "The token opens the provider's link page. Send the page's result to the public-token operation. With `hosted`, the response has a `link_url` that works in any browser; whatever the user completes there is linked without another call and announced by events.",
    params: UserParams,
    handler: async ({ params, query, publisher }) =>
      tokenFor(publisher, query, { publisherUserId: params.publisher_user_id, institutionId: null }),
  })
  operation('GET /linker/auth-token/:institution_id/:publisher_user_id', {
    config: WRITE,
    ...common,
    id: 'createAuthToken',
    summary: 'Create a link token to repair a login',
    description: 'If the login cannot be repaired, the token starts a new link instead.',
    params: LinkParams,
    handler: async ({ params, query, publisher }) => tokenFor(publisher, query, toTarget(params)),
  })
}

function tokenRoutes(operation: PublisherOperation, deps: LinkerDeps): void {
  const common = {
    answer: LINKED_INSTITUTION.schema,
    example: LINKED_INSTITUTION.example,
    refusals: ['user_not_found', 'user_not_active', 'account_already_linked', 'linker_token_rejected', ...OF_PROVIDER],
  }
  operation('POST /linker/public-token/:publisher_user_id', {
    config: WRITE,
    ...common,
    id: 'linkPublicToken',
    summary: 'Link the cards from a completed link flow',
    description:
      'Also used after a repair, in which case the login is read again. Sending a token again for the same user repeats the response for three weeks. An account that another user of the publisher has linked is refused with 409 account_already_linked and listed in `accounts`.',
    params: UserParams,
    body: PublicTokenBody,
    bodyExample: {
      public_token: 'public-sandbox-0b7f8c9d-1e2f-4a3b-8c4d-5e6f7a8b9c0d',
      institution_id: 'ins_109508',
      institution_name: 'First Platypus Bank',
    },
    handler: async ({ params, body, publisher, request, reply }) => {
      const input = { ...toLinkRequest(params, body), publicToken: body.public_token }
      return answeredOnce(deps, request, reply, (conclude) => linkPublicToken(deps, publisher, input, conclude))
    },
  })
  operation('POST /linker/access-token', {
    config: WRITE,
    ...common,
    id: 'linkAccessToken',
    summary: "Link an item with an access token from the publisher's own link flow",
    description:
      "The item remains the publisher's: it is polled, and unlinking it here does not remove it at the provider. The token is used with the publisher's own provider account, which the operator configures; without one, it is refused with 422.",
    body: AccessTokenBody,
    bodyExample: {
      publisher_user_id: 'user-1',
      institution_id: 'ins_109508',
      institution_name: 'First Platypus Bank',
      provider_access_token: '<PROVIDER_ACCESS_TOKEN>',
    },
    handler: async ({ body, publisher, request, reply }) => {
      const input = { ...toLinkRequest(body, body), accessToken: body.provider_access_token }
      return answeredOnce(deps, request, reply, (conclude) => linkAccessToken(deps, publisher, input, conclude))
    },
  })
}

function unlinkRoute(operation: PublisherOperation, deps: LinkerDeps): void {
  operation('DELETE /linker/access-token/:publisher_user_id/:institution_id', {
    config: WRITE,
    id: 'unlinkInstitution',
    summary: "Unlink a user's cards at an institution",
    description:
      'The cards are unlinked immediately; the item is removed at the provider as soon as the provider responds.',
    params: LinkParams,
    answer: UNLINKED_INSTITUTION.schema,
    example: UNLINKED_INSTITUTION.example,
    refusals: ['user_not_found', 'link_not_found'],
    handler: async ({ params, publisher, once }) => {
      const { publisher_user_id, institution_id } = params
      return once(async (tx) => {
        const unlinked_cards = await unlinkInstitution(tx, deps, publisher, toTarget(params))
        return { publisher_user_id, institution_id, unlinked_cards }
      })
    },
  })
}

function breakRoute(operation: PublisherOperation, deps: LinkerDeps): void {
  operation('POST /sandbox/links/:publisher_user_id/:institution_id/break', {
    config: WRITE,
    id: 'breakLogin',
    summary: "Break a user's login at an institution",
    description: 'The provider then requires a new sign-in, as banks do. A repair restores the login.',
    params: LinkParams,
    answer: LINKED_INSTITUTION.schema,
    example: LINKED_INSTITUTION.example,
    refusals: ['sandbox_only', 'user_not_found', 'link_not_found', ...OF_PROVIDER],
    handler: async ({ params, publisher, request, reply }) =>
      answeredOnce(deps, request, reply, (conclude) =>
        breakLogin(deps, publisher, toTarget(params), (tx, userId) => conclude(tx, userId, params.institution_id)),
      ),
  })
}

// The provider allows 15 calls a minute per item.
const CHECK_REQUEST_RATE = { perSecond: 0.2, burst: 2 }

function linkedCardRoutes(operation: PublisherOperation, deps: LinkerDeps): void {
  const limits = createRateLimiter()
  const listUserLinks = async (publisher: Publisher, publisherUserId: string): Promise<LinkWithCards[]> => {
    const { reader } = deps.db
    const { user, status } = await getUser(reader, publisher, publisherUserId, publisherNow(publisher, deps.clock))
    // A job unlinks a deactivated user's cards a moment later, but they are hidden immediately.
    if (status === 'INACTIVE') return []
    const links = await listLinks(reader, publisher, user.userId)
    await requestChecks(publisher, links)
    return links
  }
  // No webhook announces a repair in update mode. Showing a login that is broken, or soon will be, therefore also
  // requests a check of it, subject to a rate limit.
  const requestChecks = async (publisher: Publisher, links: readonly LinkWithCards[]): Promise<void> => {
    const now = deps.clock.now()
    const broken = links
      .map(({ link }) => link)
      .filter(({ error, reauthenticationDeadline }) => error !== null || reauthenticationDeadline !== null)
      .filter(({ linkId }) => limits.take(linkId, CHECK_REQUEST_RATE, now.getTime()).allowed)
    if (broken.length > 0) await deps.db.transaction((tx) => requestRuns(tx, publisher.id, 'check', broken, now))
  }
  operation('GET /linker/linked-cards/:publisher_user_id', {
    config: READ,
    id: 'listLinkedCards',
    summary: "List a user's linked cards",
    description: 'Grouped by bank. Unlinked cards are omitted.',
    params: UserParams,
    answer: LinkedInstitutionsSchema,
    example: { linked_institutions: [LINKED_INSTITUTION.example] },
    refusals: ['user_not_found'],
    handler: async ({ params, publisher }) => {
      const links = await listUserLinks(publisher, params.publisher_user_id)
      return { linked_institutions: await presentLinks(deps, deps.db.reader, publisher, links) }
    },
  })
  operation('GET /linker/linked-cards/:publisher_user_id/:institution_id', {
    config: READ,
    id: 'listLinkedCardsAtInstitution',
    summary: "List a user's linked cards at one institution",
    description: 'Unlinked cards are omitted.',
    params: LinkParams,
    answer: LINKED_INSTITUTION.schema,
    example: LINKED_INSTITUTION.example,
    refusals: ['user_not_found', 'link_not_found'],
    handler: async ({ params, publisher }) => {
      const links = await listUserLinks(publisher, params.publisher_user_id)
      const there = links.filter(({ link }) => link.institutionId === params.institution_id)
      const [shown] = await presentLinks(deps, deps.db.reader, publisher, there)
      if (shown === undefined) throw linkNotFound()
      return shown
    },
  })
}

async function presentLinks(deps: LinkerDeps, reader: Reader, publisher: Publisher, links: readonly LinkWithCards[]) {
  const ids = [...new Set(links.map(({ link }) => link.institutionId))]
  return presentInstitutions(links, await listKnownInstitutions(deps, reader, publisher, ids), deps.baseUrl)
}

type Linked = ReturnType<typeof presentInstitutions>[number]

/** Responds with the institution as it is now linked, and stores the response in the link's transaction. */
async function answeredOnce(
  deps: LinkerDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  link: (conclude: Conclusion<Linked>) => Promise<Linked>,
): Promise<Linked> {
  const repeated = await findRepeatedAnswer(deps, request, reply)
  if (repeated !== null) return repeated.answer as Linked
  return link(async (tx, userId, institutionId) => {
    const links = await listLinks(tx, getCallingPublisher(request), userId)
    const there = links.filter(({ link }) => link.institutionId === institutionId)
    const [shown] = await presentLinks(deps, tx, getCallingPublisher(request), there)
    if (shown === undefined) throw new Error('a link is missing from the commit that created it')
    await rememberAnswer(deps, tx, request, shown)
    return shown
  })
}

function toTarget({ publisher_user_id, institution_id }: Static<typeof LinkParams>) {
  return { publisherUserId: publisher_user_id, institutionId: institution_id }
}

function toLinkRequest(
  { publisher_user_id }: Static<typeof UserParams>,
  body: { readonly institution_id: string; readonly institution_name: string },
): LinkRequest {
  return { publisherUserId: publisher_user_id, institution: { id: body.institution_id, name: body.institution_name } }
}
