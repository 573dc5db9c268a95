import type { FastifyReply, FastifyRequest } from 'fastify'
import { type LinkWithCards, listLinks } from '../cards/index.ts'
import type { Reader } from '../platform/database.ts'
import { type App, operation } from '../platform/http/index.ts'
import type { UserId } from '../platform/ids.ts'
import { createRateLimiter } from '../platform/rate-limit.ts'
import {
  answerOnce,
  type Publisher,
  publisherNow,
  publisherOf,
  rememberAnswer,
  repeatedAnswer,
} from '../publishers/index.ts'
import { getUser } from '../users/index.ts'
import type { LinkerDeps } from './deps.ts'
import { institutionExample, linkTokenExample, unlinkedExample } from './examples.ts'
import { institutionsOf } from './institutions/institutions.ts'
import { requestChecks } from './item-queries.ts'
import { type Conclusion, linkAccessToken, linkPublicToken } from './links/link.ts'
import {
  createAuthToken,
  createLinkToken,
  createLinkTokenLimits,
  linkNotFound,
  type ReturnTo,
} from './links/link-tokens.ts'
import { unlinkInstitution } from './links/unlink.ts'
import type { LinkToken } from './provider.ts'
import {
  AccessTokenBody,
  LinkedInstitutionSchema,
  LinkedInstitutionsSchema,
  LinkParams,
  LinkTokenSchema,
  PublicTokenBody,
  presentInstitutions,
  ReturnQuery,
  UnlinkedSchema,
  UserParams,
} from './schema.ts'

/** The operations of the interface about card linking; behind the publisher's key. */
export function linkerRoutes(app: App, deps: LinkerDeps): void {
  linkTokenRoutes(app, deps)
  tokenRoutes(app, deps)
  unlinkRoute(app, deps)
  linkedCardRoutes(app, deps)
}

const PROVIDER_STATUSES = [502, 503, 504]

function linkTokenRoutes(app: App, deps: LinkerDeps): void {
  const limits = createLinkTokenLimits()
  const common = { tag: 'Card linking', query: ReturnQuery, answer: LinkTokenSchema, example: linkTokenExample }
  app.get(
    '/linker/link-token/:publisher_user_id',
    operation({
      config: { scope: 'linker:write' },
      ...common,
      id: 'createLinkToken',
      summary: 'A link token for a first link',
      params: UserParams,
      refusals: [404, 409, ...PROVIDER_STATUSES],
    }),
    async (request) => {
      const { publisher_user_id } = request.params
      const returnTo = returnOf(request.query)
      const token = await createLinkToken(deps, limits, publisherOf(request), publisher_user_id, returnTo)
      return presentLinkToken(deps, token)
    },
  )
  app.get(
    '/linker/auth-token/:institution_id/:publisher_user_id',
    operation({
      config: { scope: 'linker:write' },
      ...common,
      id: 'createAuthToken',
      summary: 'A link token to repair a login',
      description: 'When the login cannot be repaired, the token starts a new link instead.',
      params: LinkParams,
      refusals: [404, 409, ...PROVIDER_STATUSES],
    }),
    async (request) => {
      const { institution_id, publisher_user_id } = request.params
      const target = { institutionId: institution_id, publisherUserId: publisher_user_id }
      const token = await createAuthToken(deps, limits, publisherOf(request), target, returnOf(request.query))
      return presentLinkToken(deps, token)
    },
  )
}

function tokenRoutes(app: App, deps: LinkerDeps): void {
  const common = { tag: 'Card linking', answer: LinkedInstitutionSchema, example: institutionExample }
  app.post(
    '/linker/public-token/:publisher_user_id',
    operation({
      config: { scope: 'linker:write' },
      ...common,
      id: 'linkPublicToken',
      summary: 'Link the cards of a finished link flow',
      description:
        'Also after a repair: the login is then read anew. The same token from the same user is answered again for half ' +
        'an hour. An account that another user of the publisher has is refused with 409 account_already_linked, and ' +
        'named in `accounts` of the answer.',
      params: UserParams,
      body: PublicTokenBody,
      bodyExample: {
        public_token: 'public-sandbox-0b7f8c9d-1e2f-4a3b-8c4d-5e6f7a8b9c0d',
        institution_id: 'ins_109508',
        institution_name: 'First Platypus Bank',
      },
      refusals: [404, 409, 422, ...PROVIDER_STATUSES],
    }),
    async (request, reply) => {
      const { publisher_user_id } = request.params
      const { public_token, ...rest } = request.body
      const input = {
        publisherUserId: publisher_user_id,
        institution: institutionOfBody(rest),
        publicToken: public_token,
      }
      return answeredOnce(deps, request, reply, (conclude) =>
        linkPublicToken(deps, publisherOf(request), input, conclude),
      )
    },
  )
  app.post(
    '/linker/access-token',
    operation({
      config: { scope: 'linker:write' },
      ...common,
      id: 'linkAccessToken',
      summary: "Hand over the access token of the publisher's own link",
      description:
        'The item stays the publisher’s: it is polled, and not removed at the provider when unlinked here. The token is ' +
        'used under the publisher’s own provider account, which the operator sets; without one it is refused with 422.',
      body: AccessTokenBody,
      bodyExample: {
        publisher_user_id: 'user-1',
        institution_id: 'ins_109508',
        institution_name: 'First Platypus Bank',
        provider_access_token: '<PROVIDER_ACCESS_TOKEN>',
      },
      refusals: [404, 409, 422, ...PROVIDER_STATUSES],
    }),
    async (request, reply) => {
      const { publisher_user_id, provider_access_token, ...rest } = request.body
      const institution = institutionOfBody(rest)
      const input = { publisherUserId: publisher_user_id, institution, accessToken: provider_access_token }
      return answeredOnce(deps, request, reply, (conclude) =>
        linkAccessToken(deps, publisherOf(request), input, conclude),
      )
    },
  )
}

function unlinkRoute(app: App, deps: LinkerDeps): void {
  app.delete(
    '/linker/access-token/:publisher_user_id/:institution_id',
    operation({
      config: { scope: 'linker:write' },
      id: 'unlinkInstitution',
      summary: "Unlink a user's cards at an institution",
      description: 'Unlinked at once; the item is removed at the provider as soon as that answers.',
      tag: 'Card linking',
      params: LinkParams,
      answer: UnlinkedSchema,
      example: unlinkedExample,
      refusals: [404],
    }),
    async (request, reply) => {
      const { publisher_user_id, institution_id } = request.params
      const target = { publisherUserId: publisher_user_id, institutionId: institution_id }
      return answerOnce(deps, request, reply, async (tx) => {
        const unlinked_cards = await unlinkInstitution(tx, deps, publisherOf(request), target)
        return { publisher_user_id, institution_id, unlinked_cards }
      })
    },
  )
}

// The provider lets us ask about one item fifteen times a minute.
const BROKEN_ASKED = { perSecond: 0.2, burst: 2 }

function linkedCardRoutes(app: App, deps: LinkerDeps): void {
  const linksOf = async (publisher: Publisher, publisherUserId: string): Promise<LinkWithCards[]> => {
    const now = publisherNow(publisher, deps.clock)
    const { user, status } = await getUser(deps.db.reader, publisher, publisherUserId, now)
    // A job unlinks deactivated users a moment later; they show no cards from the start.
    if (status === 'INACTIVE') return []
    const links = await listLinks(deps.db.reader, publisher, user.userId)
    await askAboutBroken(publisher, user.userId, links)
    return links
  }
  // No webhook announces a repair in update mode, so a request that shows a login which is broken, or soon will be, also
  // requests a check of it, within limits.
  const asked = createRateLimiter()
  const askAboutBroken = async (
    publisher: Publisher,
    userId: UserId,
    links: readonly LinkWithCards[],
  ): Promise<void> => {
    const now = deps.clock.now()
    const broken = links
      .filter(({ link }) => link.error !== null || link.reauthenticationDeadline !== null)
      .map(({ link }) => link.linkId)
      .filter((linkId) => asked.take(linkId, BROKEN_ASKED, now.getTime()).allowed)
    if (broken.length > 0) await requestChecks(deps.db.reader, publisher.id, userId, broken, now)
  }
  app.get(
    '/linker/linked-cards/:publisher_user_id',
    operation({
      config: { scope: 'linker:read' },
      id: 'listLinkedCards',
      summary: "A user's linked cards",
      tag: 'Card linking',
      params: UserParams,
      answer: LinkedInstitutionsSchema,
      example: { linked_institutions: [institutionExample] },
      refusals: [404],
    }),
    async (request) => {
      const links = await linksOf(publisherOf(request), request.params.publisher_user_id)
      return { linked_institutions: await presentLinks(deps, deps.db.reader, links) }
    },
  )
  app.get(
    '/linker/linked-cards/:publisher_user_id/:institution_id',
    operation({
      config: { scope: 'linker:read' },
      id: 'listLinkedCardsAtInstitution',
      summary: "A user's linked cards at one institution",
      tag: 'Card linking',
      params: LinkParams,
      answer: LinkedInstitutionSchema,
      example: institutionExample,
      refusals: [404],
    }),
    async (request) => {
      const links = await linksOf(publisherOf(request), request.params.publisher_user_id)
      const there = links.filter(({ link }) => link.institutionId === request.params.institution_id)
      const [shown] = await presentLinks(deps, deps.db.reader, there)
      if (shown === undefined) throw linkNotFound()
      return shown
    },
  )
}

async function presentLinks(deps: LinkerDeps, reader: Reader, links: readonly LinkWithCards[]) {
  const ids = [...new Set(links.map(({ link }) => link.institutionId))]
  return presentInstitutions(links, await institutionsOf(deps, reader, ids), deps.baseUrl)
}

type Linked = ReturnType<typeof presentInstitutions>[number]

/** The answer shows the institution as it is now linked, and is stored in the commit of the link. */
async function answeredOnce(
  deps: LinkerDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  link: (conclude: Conclusion<Linked>) => Promise<Linked>,
): Promise<Linked> {
  const repeated = await repeatedAnswer(deps, request, reply)
  if (repeated !== null) return repeated.answer as Linked
  return link(async (tx, userId: UserId, institutionId) => {
    const links = await listLinks(tx, publisherOf(request), userId)
    const there = links.filter(({ link }) => link.institutionId === institutionId)
    const [shown] = await presentLinks(deps, tx, there)
    if (shown === undefined) throw new Error('a link is not there in the commit that made it')
    await rememberAnswer(deps, tx, request, shown)
    return shown
  })
}

function presentLinkToken(deps: LinkerDeps, { linkToken, expiration }: LinkToken) {
  const page = deps.provider.linkPage(linkToken)
  return { link_token: linkToken, expiration, ...(page === null ? {} : { link_url: page }) }
}

/** Blank means absent, because Android clients leave redirect_uri blank. */
function returnOf(query: { readonly redirect_uri?: string; readonly android_package_name?: string }): ReturnTo {
  return { redirectUri: query.redirect_uri || null, androidPackageName: query.android_package_name || null }
}

function institutionOfBody(body: { readonly institution_id: string; readonly institution_name: string }) {
  return { id: body.institution_id, name: body.institution_name }
}
