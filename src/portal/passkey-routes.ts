import type { FastifyReply } from 'fastify'
import { type App, isSameOrigin } from '../platform/http/index.ts'
import { Refusal } from '../platform/refusal.ts'
import { beginPasskey, beginPasskeySignIn } from '../tenants/accounts/index.ts'
import { FieldFault } from './errors.ts'
import { getPasskeyOwner } from './forms/passkeys.ts'
import { getFaultText } from './pages/fields.ts'
import { forUsers, hidden, type PortalDeps, readVisit, sendMissing, sendRefused } from './shared-routes.ts'
import type { Visit } from './visit.ts'

/** Serves the device options to the passkey script, or the reason for a refusal. */
export function passkeyOptions(app: App, deps: PortalDeps): void {
  app.post('/portal/:portal/sign-in/passkey/options', hidden, async (request, reply) => {
    const visit = await readVisit(deps, request, reply)
    if (!visit.portal.allowsAccounts) return sendMissing(reply, visit, false)
    if (!isSameOrigin(request)) return sendRefused(reply, visit)
    return answerOptions(reply, visit, () => beginPasskeySignIn(deps))
  })
  const options = forUsers(deps, (visit, _request, reply) =>
    answerOptions(reply, visit, async () =>
      beginPasskey(deps, await getPasskeyOwner(deps.db.reader, visit), visit.name),
    ),
  )
  app.post('/portal/:portal/you/sign-in/passkeys/options', hidden, options)
}

async function answerOptions(reply: FastifyReply, { words }: Visit, begin: () => Promise<object>) {
  try {
    return { options: await begin(), refusal: null }
  } catch (error) {
    if (!(error instanceof Refusal || error instanceof FieldFault)) throw error
    return reply.code(409).send({ options: null, refusal: getFaultText(words, error.code) })
  }
}
