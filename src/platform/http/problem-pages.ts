import type { RouteOptions } from 'fastify'
import { type Html, html, renderMarkup } from '../text/html.ts'
import { type App, Problem, type RefusalTable } from './index.ts'

// A longer list would include most of the API.
const OPERATIONS_MAX = 30

/**
 * Serves the pages that the `type` of a problem links to. /problems lists the codes, and /problems/CODE describes one.
 */
export function problemPages(app: App, routes: readonly RouteOptions[]): void {
  const schema = { hide: true }
  app.get('/problems', { schema }, async (_request, reply) =>
    reply.type('text/html; charset=utf-8').send(renderMarkup(listPage(app.refusals))),
  )
  app.get<{ Params: { code: string } }>('/problems/:code', { schema }, async ({ params: { code } }, reply) => {
    if (!Object.hasOwn(app.refusals, code)) throw new Problem('route_not_found', 'No problem has this code.')
    return reply.type('text/html; charset=utf-8').send(renderMarkup(codePage(app.refusals, code, routes)))
  })
}

function listPage(table: RefusalTable): Html {
  const codes = Object.keys(table).sort()
  return page(
    'Problems',
    html`<h1>Problems</h1>
      <p>Every refusal has a code. Decide by the code; titles and details are for people.</p>
      <table>
        <thead><tr><th>Code</th><th>Status</th><th>Meaning</th></tr></thead>
        <tbody>${codes.map(
          (code) => html`<tr><td><a href="/problems/${code}"><code>${code}</code></a></td>
            <td>${table[code]?.status}</td><td>${table[code]?.title}</td></tr>`,
        )}</tbody>
      </table>`,
  )
}

function codePage(table: RefusalTable, code: string, routes: readonly RouteOptions[]): Html {
  const { status, title, cause, remedy } = table[code] ?? { status: 500, title: '', cause: '', remedy: '' }
  return page(
    title,
    html`<p><a href="/problems">All problems</a></p>
      <h1>${title}</h1>
      <p><code>${code}</code>, HTTP status ${status}</p>
      <h2>Cause</h2>
      <p>${cause}</p>
      <h2>What to do</h2>
      <p>${remedy}</p>
      ${operationsPart(code, routes)}`,
  )
}

function operationsPart(code: string, routes: readonly RouteOptions[]): Html | null {
  const answering = routes.filter(({ config }) => config?.refusals?.includes(code))
  if (answering.length === 0) return null
  if (answering.length > OPERATIONS_MAX)
    return html`<h2>Where</h2><p>${answering.length} operations can return it; see the <a href="/docs">API reference</a>.</p>`
  return html`<h2>Where</h2>
    <ul>${answering.map(({ method, url }) => html`<li><code>${String(method)} ${url}</code></li>`)}</ul>
    <p>See the <a href="/docs">API reference</a>.</p>`
}

function page(title: string, content: Html): Html {
  return html`<!doctype html>
<html lang="en">
  <head>
    <title>${title} – Laurel API</title>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <style>
      body { font: 1rem/1.6 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem 2rem; }
      h1 { line-height: 1.25; } h2 { font-size: 1.1rem; margin-bottom: 0; } p { margin-top: 0.25rem; }
      code { font-family: ui-monospace, monospace; font-size: 0.95em; overflow-wrap: anywhere; }
      table { border-collapse: collapse; } th, td { text-align: left; padding: 0.3rem 1rem 0.3rem 0; vertical-align: top; }
    </style>
  </head>
  <body>
    <main>${content}</main>
  </body>
</html>
`
}
