import type { FastifyReply } from 'fastify'
import { logoOf } from '../logo.ts'
import { type Html, html } from './html.ts'
import type { FrameRecord } from './link-record.ts'

export type Page = {
  readonly title: string
  readonly content: Html
  readonly script: 'home' | 'link' | null
  readonly kind: 'home' | 'link' | 'bank'
  /** Styles beside the common ones: a bank's colour. */
  readonly styles?: string
  /** Where the user gives up; null where there is nothing to give up. */
  readonly leave?: string | null
  /** What the page's script hands to the app in whose frame it is; the policy allows no inline script. */
  readonly frame?: FrameRecord
}

/**
 * Own scripts and styles only, nothing inline, nothing from elsewhere. The link page may be in a frame of any page,
 * because an app's page embeds it; the home page in none.
 */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "form-action 'self'; base-uri 'none'; frame-ancestors "

export function sendPage(reply: FastifyReply, page: Page, status = 200) {
  return reply
    .status(status)
    .header('content-security-policy', POLICY + (page.kind === 'home' ? "'none'" : '*'))
    .header('referrer-policy', 'no-referrer')
    .header('x-content-type-options', 'nosniff')
    .header('cache-control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(layout(page).markup)
}

function layout({ title, content, script, kind, styles, leave = null, frame }: Page): Html {
  const isFramed = frame?.embedder != null
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:image/png;base64,${logoOf('#1f7a6d')}">
<link rel="stylesheet" href="/assets/style.css">
${styles !== undefined && html`<link rel="stylesheet" href="${styles}">`}
${script === null ? null : html`<script src="/assets/${script}.js" defer></script>`}
</head>
<body class="${kind}${isFramed && ' framed'}" ${frame !== undefined && html`data-frame="${JSON.stringify(frame)}"`}>
${leave !== null && html`<a class="leave" href="${leave}" aria-label="Leave">×</a>`}
${content}
</body>
</html>
`
}
