import { type App, refuseStale } from '../platform/http/index.ts'
import { type OperationDeps, type PublisherOperation, publisherOperations, readActor } from '../tenants/access/index.ts'
import { accountNotFound, findUserAccount, removeUserAccount } from '../tenants/accounts/index.ts'
import { lockPublisher, requireSandbox } from '../tenants/publishers/index.ts'
import { getUser } from '../users/users/index.ts'
import {
  ACCOUNT,
  LinkBody,
  LinkSchema,
  PortalBody,
  PortalSchema,
  parsePortal,
  portalExample,
  presentPortal,
  ThemeQuery,
  ThemeSchema,
  UserParams,
} from './schema.ts'
import { changePortal, createLink, readPortal } from './service.ts'
import { computeLightness } from './theme/stylesheet.ts'

type Deps = OperationDeps & {
  /** Read on each request, because it is known only once the service listens. */
  readonly baseUrl: string
}

const FOR_USERS =
  'Staff can enter as a user only in a sandbox. In production, the link is for the user. Request it with a ' +
  'publisher key.'

/** Registers the routes that publishers use to manage their portal. The pages are in page-routes.ts. */
export function portalRoutes(app: App, deps: Deps): void {
  const operation = publisherOperations(app, deps, 'Portal')
  accountRoutes(operation, deps)
  operation('GET /portal/settings', {
    config: { scope: 'users:read' },
    id: 'getPortalSettings',
    summary: "Get the appearance of your users' portal",
    description: 'Every publisher has a portal; until it is set up, the publisher_id serves as its address.',
    answer: PortalSchema,
    example: portalExample,
    handler: async ({ publisher }) => presentPortal(await readPortal(deps.db.reader, publisher), deps.baseUrl),
  })

  operation('PUT /portal/settings', {
    config: { scope: 'users:write' },
    id: 'setPortalSettings',
    summary: "Set the appearance of your users' portal",
    description:
      'Replaces all settings; `logo`, `welcome` and `allows_accounts` stay unchanged if omitted. Links to a previous slug stop working. Use `expected` to avoid overwriting a change made by someone else in the meantime.',
    body: PortalBody,
    bodyExample: { slug: 'acorn', shown_name: 'Acorn Pay', hue: 42, chroma: 0.16, frame_ancestors: [] },
    answer: PortalSchema,
    example: portalExample,
    refusals: ['portal_setting_invalid', 'portal_slug_taken', 'changed_meanwhile'],
    handler: ({ body, publisher, now, once }) =>
      once(async (tx) => {
        if (body.expected !== undefined) {
          await lockPublisher(tx, publisher.id)
          refuseStale(body.expected, presentPortal(await readPortal(tx, publisher), deps.baseUrl))
        }
        return presentPortal(await changePortal(tx, publisher, parsePortal(body), now), deps.baseUrl)
      }),
  })

  entranceRoutes(operation, deps)
}

function entranceRoutes(operation: PublisherOperation, deps: Deps): void {
  operation('GET /portal/theme', {
    config: { scope: 'users:read' },
    id: 'previewPortalTheme',
    summary: 'Preview the portal color',
    description: 'Changes nothing. The lightness is derived from the contrast of text on the color.',
    query: ThemeQuery,
    answer: ThemeSchema,
    example: { hue: 42, chroma: 0.16, lightness: 0.47 },
    handler: async ({ query }) => ({ ...query, lightness: computeLightness(query) }),
  })

  operation('POST /portal/sessions', {
    // Anyone with the link can do what the user can, including redeeming.
    config: { scope: 'rewards:write' },
    id: 'createPortalSession',
    summary: 'Create a link for a user to enter the portal',
    description:
      'Valid once, for 15 minutes. Send the user to it: whoever opens it acts as this user. In production this requires a publisher key; staff cannot create a link.',
    body: LinkBody,
    bodyExample: { publisher_user_id: 'user-1', return_path: '/purchases' },
    answer: LinkSchema,
    example: {
      url: 'https://laurel.example.com/portal/acorn/enter/9Yk2…',
      expires_at: '2026-11-21T10:30:30.000Z',
    },
    refusals: ['sandbox_only', 'user_not_found', 'user_not_active'],
    handler: ({ body, publisher, now, once, request }) => {
      // Everything done in the session, even redeeming, is attributed to the user, whoever opened the link.
      if (request.actor !== null) requireSandbox(publisher, FOR_USERS)
      return once(async (tx) => {
        const input = { publisherUserId: body.publisher_user_id, returnPath: body.return_path ?? '/' }
        const { token, expiresAt } = await createLink(tx, publisher, input, { now, realNow: deps.clock.now() })
        const { slug } = await readPortal(tx, publisher)
        return { url: `${deps.baseUrl}/portal/${slug}/enter/${token}`, expires_at: expiresAt.toISOString() }
      })
    },
  })
}

/** Registers the routes for the accounts that users sign in with. */
function accountRoutes(operation: ReturnType<typeof publisherOperations>, { db, clock }: Deps): void {
  operation('GET /portal/accounts/:publisher_user_id', {
    config: { scope: 'users:read' },
    id: 'getPortalAccount',
    summary: "Get a user's portal account",
    description:
      "The address was verified by the user, or by someone in the user's session, and may differ from the one you have.",
    params: UserParams,
    answer: ACCOUNT.schema,
    example: ACCOUNT.example,
    refusals: ['user_not_found', 'account_not_found'],
    handler: async ({ params, publisher, now }) => {
      const { user } = await getUser(db.reader, publisher, params.publisher_user_id, now)
      const account = await findUserAccount(db.reader, { publisherId: publisher.id, userId: user.userId })
      if (account === null) throw accountNotFound()
      return ACCOUNT.present(account)
    },
  })

  operation('DELETE /portal/accounts/:publisher_user_id', {
    config: { scope: 'users:write', isAuditedByVerb: true },
    id: 'removePortalAccount',
    summary: "Remove a user's portal account",
    description:
      "For an account that the user does not recognize. Its password and passkeys stop working, and all of the user's sessions end. The user can still enter through one of your links and open another account. Both the account's address and the address you have for the user are notified.",
    params: UserParams,
    answer: ACCOUNT.schema,
    example: ACCOUNT.example,
    refusals: ['user_not_found', 'account_not_found'],
    handler: ({ params, publisher, now, once, request }) =>
      once(async (tx) => {
        const { user } = await getUser(tx, publisher, params.publisher_user_id, now)
        const whose = { publisherId: publisher.id, userId: user.userId }
        const account = await findUserAccount(tx, whose)
        if (account === null) throw accountNotFound()
        const removed = { ...whose, knownEmail: user.email, language: 'en', stays: null }
        await removeUserAccount(tx, removed, readActor(request, publisher), clock.now())
        return ACCOUNT.present(account)
      }),
  })
}
