import { timingSafeEqual } from 'node:crypto'
import type { App } from '../platform/http/index.ts'
import { decodeId, type UserId } from '../platform/ids.ts'
import { html } from '../platform/text/html.ts'
import type { Vault } from '../platform/vault/index.ts'
import { endMailPreference, NOTICES, type Notice } from '../tenants/accounts/index.ts'
import { computeProof } from './mails.ts'
import { renderPlainPage } from './pages/layout.ts'
import { hidden, type PortalDeps, readVisit, sendMissing, sendPage } from './shared-routes.ts'
import type { PortalFields } from './visit.ts'

const PATH = '/portal/:portal/unsubscribe/:svc_user_id/:notice/:proof'
// Enough for the single form field that email clients send.
const BODY_BYTES_MAX = 1024

/** Serves the unsubscribe pages that emails link to. Email clients post to the pages without opening them. */
export function unsubscribePages(app: App, deps: PortalDeps): void {
  // RFC 8058 allows either form encoding. The body is ignored, because the URL contains everything needed.
  app.removeAllContentTypeParsers()
  const read = { parseAs: 'buffer', bodyLimit: BODY_BYTES_MAX } as const
  app.addContentTypeParser('*', read, async (_request: unknown, body: string | Buffer) => body)
  app.get(PATH, hidden, async (request, reply) => {
    const visit = await readVisit(deps, request, reply)
    if (stoppedBy(deps.vault, request.params as PortalFields) === null) return sendMissing(reply, visit, false)
    const { mails } = visit.words.signIn
    const button = html`<form method="post" action="${visit.path}"><button class="btn">${visit.words.mails.stop}</button></form>`
    return sendPage(reply, visit, renderPlainPage(mails.title, mails.stopText(visit.name), button), false)
  })
  app.post(PATH, hidden, async (request, reply) => {
    const visit = await readVisit(deps, request, reply)
    const stopped = stoppedBy(deps.vault, request.params as PortalFields)
    if (stopped === null) return sendMissing(reply, visit, false)
    const whose = { publisherId: visit.publisher.id, userId: stopped.userId }
    await deps.db.transaction((tx) => endMailPreference(tx, whose, stopped.notice))
    const { mails } = visit.words.signIn
    return sendPage(reply, visit, renderPlainPage(mails.title, mails.stopped), false)
  })
}

/** Returns the notification that an unsubscribe link stops; null if the link's signature is invalid. */
function stoppedBy(
  vault: Vault,
  { svc_user_id: named = '', notice: kind = '', proof = '' }: PortalFields,
): { readonly userId: UserId; readonly notice: Notice } | null {
  const userId = decodeId<'user'>('usr', named)
  const notice = NOTICES.find((one) => one === kind)
  if (userId === null || notice === undefined) return null
  const [shown, known] = [Buffer.from(proof), Buffer.from(computeProof(vault, userId, notice))]
  return shown.length === known.length && timingSafeEqual(shown, known) ? { userId, notice } : null
}
