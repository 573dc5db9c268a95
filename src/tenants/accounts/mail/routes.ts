import { createHash } from 'node:crypto'
import { isWithin } from '../../../platform/http/callers/caller-address.ts'
import { type App, limitStrangers, Problem } from '../../../platform/http/index.ts'
import { decodeId, encodeId } from '../../../platform/ids.ts'
import { html, renderMarkup } from '../../../platform/text/html.ts'
import type { Outbox, StoredMail } from './outbox.ts'

type MailDeps = { readonly outbox: Outbox; readonly strangerCallsPerSecond: number }

const LOOPBACK = ['127.0.0.0/8', '::1/128']

// Contains no quotes or angle brackets, so escaping does not alter it.
const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { max-width: 44rem; margin: 3rem auto; padding: 0 1rem }
h1 { font-size: 1.5rem; letter-spacing: -0.02em }
li { margin: 0.75rem 0 }
pre { white-space: pre-wrap; overflow-wrap: anywhere; font: inherit }
.faint { opacity: 0.7 }
`
const CSP = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`

/**
 * Serves a sandbox's emails, which are never sent. Anyone who reads them can sign in as their recipients, so they are
 * served only to this machine, and only if the outbox allows them to be displayed.
 */
export function mailPages(app: App, { outbox, strangerCallsPerSecond }: MailDeps): void {
  const { list } = outbox
  if (list === null) return
  app.addHook('onRequest', limitStrangers(strangerCallsPerSecond))
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('Content-Security-Policy', CSP)
    const isHere = isWithin(request.ip, LOOPBACK) && namesThisMachine(request.hostname)
    done(isHere ? undefined : new Problem('route_not_found', 'There is nothing at this URL.'))
  })
  const hidden = { schema: { hide: true } }
  app.get('/sandbox/mail', hidden, async (_request, reply) =>
    reply.type('text/html; charset=utf-8').send(page('Mail', renderList(await list()))),
  )
  app.get('/sandbox/mail/:mail_id', hidden, async (request, reply) => {
    const { mail_id: uid } = request.params as { readonly mail_id: string }
    const mail = (await list()).find(({ mailId }) => mailId === decodeId('mail', uid))
    if (mail === undefined) throw new Problem('route_not_found', 'There is no such email, or it is no longer retained.')
    return reply.type('text/html; charset=utf-8').send(page(mail.subject, renderBody(mail)))
  })
}

/**
 * Guards against DNS rebinding. A page open in a browser on this machine could point its own domain at this address and
 * read the responses. Only the host name in its requests reveals it.
 */
function namesThisMachine(hostname: string): boolean {
  const name = hostname.replace(/^\[|\]$/g, '')
  return name === 'localhost' || name.endsWith('.localhost') || isWithin(name, LOOPBACK)
}

function renderList(mails: readonly StoredMail[]) {
  if (mails.length === 0)
    return html`<p>No mail yet. Invite someone or request a password reset, and the email will appear here.</p>`
  const rows = mails.map(
    ({ mailId, at, to, subject }) =>
      html`<li><a href="/sandbox/mail/${encodeId('mail', mailId)}">${subject}</a><br /><span class="faint">to ${to}, ${at.toISOString()}</span></li>`,
  )
  return html`<p class="faint">A sandbox sends no mail; this is what it would have sent.</p>
    <ol>${rows}</ol>`
}

function renderBody({ to, at, text }: StoredMail) {
  return html`<p class="faint">to ${to}, ${at.toISOString()} · <a href="/sandbox/mail">all mail</a></p>
    <pre>${text.split(/(https?:\/\/\S+)/).map((piece, index) => (index % 2 === 1 ? html`<a href="${piece}">${piece}</a>` : piece))}</pre>`
}

function page(title: string, content: ReturnType<typeof html>): string {
  return renderMarkup(html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${title}</title>
    <style>${STYLE}</style>
  </head>
  <body>
    <h1>${title}</h1>
    ${content}
  </body>
</html>
`)
}
