import type { FastifyReply } from 'fastify'
import { logoOf } from '../logo.ts'
import { type Html, html } from './html.ts'

export type Page = {
  readonly title: string
  readonly content: Html
  readonly script: 'home' | 'link' | null
  readonly kind: 'home' | 'link' | 'bank'
  /** Styles beside the common ones: a bank's colour. */
  readonly styles?: string
}

/**
 * Own scripts and styles only, nothing inline, nothing from elsewhere. The link page may be in a frame of a page on
 * this machine, because that is how an integrator embeds it; the home page in none.
 */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "form-action 'self'; base-uri 'none'; frame-ancestors "
const LOOPBACK = 'http://localhost:* http://127.0.0.1:* https://localhost:* https://127.0.0.1:*'

export function sendPage(reply: FastifyReply, page: Page, status = 200) {
  return reply
    .status(status)
    .header('content-security-policy', POLICY + (page.kind === 'home' ? "'none'" : LOOPBACK))
    .header('referrer-policy', 'no-referrer')
    .header('x-content-type-options', 'nosniff')
    .header('cache-control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(layout(page).markup)
}

function layout({ title, content, script, kind, styles }: Page): Html {
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
<body class="${kind}">
${content}
</body>
</html>
`
}
