import { createRateLimiter } from '../../platform/http/callers/rate-limit.ts'
import { createLinkToken, type LinkerDeps, linkPublicToken, unlinkInstitution } from '../../purchases/linker/index.ts'
import { isAllowedRedirectUri } from '../../tenants/publishers/index.ts'
import { FieldFault } from '../errors.ts'
import { renderCardsPage } from '../pages/cards.ts'
import type { PortalForms, UserVisit } from '../visit.ts'

// Longer than any of the provider's tokens and names.
const TEXT_MAX = 500

/** Returns the forms that store the result of the provider's component and unlink a bank. */
export function cardForms(deps: LinkerDeps): PortalForms {
  return {
    '/cards': {
      page: renderCardsPage,
      act: async ({ publisher, user }, body) => {
        const given = (name: string): string => {
          const text = body[name] ?? ''
          if (text === '' || text.length > TEXT_MAX) throw new FieldFault(name, 'not_linked')
          return text
        }
        const publicToken = given('public_token')
        const institution = { id: given('institution_id'), name: given('institution_name') }
        const request = { publisherUserId: user.publisherUserId, institution, publicToken }
        await linkPublicToken(deps, publisher, request, async () => null)
        return '/cards?done=linked'
      },
    },
    '/cards/:institution_id/unlink': {
      act: async ({ publisher, user }, _body, params) => {
        const target = { publisherUserId: user.publisherUserId, institutionId: params['institution_id'] ?? '' }
        await deps.db.transaction((tx) => unlinkInstitution(tx, deps, publisher, target))
        return '/cards?done=unlinked'
      },
    },
  }
}

/**
 * Returns a function that creates tokens to open the provider's component, either to link a bank or to repair the login
 * at an institution. If the publisher's allowed redirect URIs include the cards page, a bank that takes over the entire
 * window sends the user back to it.
 */
export function linkTokenFor(deps: LinkerDeps): (visit: UserVisit, institutionId: string | null) => Promise<string> {
  const limits = createRateLimiter()
  return async ({ publisher, user, base }, institutionId) => {
    const address = `${deps.baseUrl}${base}/cards`
    const isAllowed = await isAllowedRedirectUri(deps.db.reader, publisher, address)
    const opening = { redirectUri: isAllowed ? address : null, androidPackageName: null, hosted: null }
    const target = { publisherUserId: user.publisherUserId, institutionId }
    return (await createLinkToken(deps, limits, publisher, target, opening)).linkToken
  }
}
