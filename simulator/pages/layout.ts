import type { FastifyReply } from 'fastify'
import { getLogo } from '../logo.ts'
import { type Html, html } from './html.ts'
import type { FrameRecord } from './link-record.ts'

export type Page = {
  readonly title: string
  readonly content: Html
  readonly script: 'home' | 'link' | null
  readonly kind: 'home' | 'link' | 'bank'
  /** Additional styles, such as a bank's color. */
  readonly styles?: string
  /** The address of the leave button; null if there is nothing to leave. */
  readonly leave?: string | null
  /**
   * The record that the page's script sends to the embedding app. It is stored in a data attribute, because the policy
   * allows no inline scripts.
   */
  readonly frame?: FrameRecord
}

/**
 * Allows only our own scripts and styles, nothing inline and nothing external. Any page may frame the link page,
 * because apps embed it, but none may frame the home page.
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
<link rel="icon" href="data:image/png;base64,${getLogo('#1f7a6d')}">
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
