import { readFile } from 'node:fs/promises'
import type { FastifyReply } from 'fastify'
import Type from 'typebox'
import { INSTITUTIONS } from '../institutions.ts'
import type { App } from '../provider/door.ts'
import type { World } from '../world.ts'
import { homePage } from './home-page.ts'
import { sendPage } from './layout.ts'
import { bankStyles } from './link-layout.ts'
import { linkPages } from './link-routes.ts'
import { unknownPage } from './unknown-page.ts'

const FILES = {
  '/assets/style.css': ['assets/style.css', 'text/css; charset=utf-8'],
  '/assets/link.js': ['assets/link.js', 'text/javascript; charset=utf-8'],
  '/assets/home.js': ['assets/home.js', 'text/javascript; charset=utf-8'],
  '/readme': ['../README.md', 'text/plain; charset=utf-8'],
} as const

const Search = Type.Object({ q: Type.Optional(Type.String()) })

export function sendUnknownPage(reply: FastifyReply) {
  return sendPage(reply, unknownPage(), 404)
}

/** Registers the pages for people: the link page, and the home page that shows and controls everything. */
export async function pages(app: App, world: World, serviceUrl: string): Promise<void> {
  for (const [path, [file, type]] of Object.entries(FILES)) {
    const content = await readFile(new URL(file, import.meta.url))
    app.get(path, async (_request, reply) =>
      reply.type(type).header('x-content-type-options', 'nosniff').header('cache-control', 'no-cache').send(content),
    )
  }
  const script = await readFile(new URL('assets/link-initialize.js', import.meta.url), 'utf8')
  app.get('/link/v2/stable/link-initialize.js', async ({ protocol, host }, reply) =>
    reply
      .type('text/javascript; charset=utf-8')
      .header('x-content-type-options', 'nosniff')
      .header('cache-control', 'no-cache')
      .header('cross-origin-resource-policy', 'cross-origin')
      .send(script.replace("'{{SIMULATOR}}'", JSON.stringify(`${protocol}://${host}`))),
  )
  for (const bank of INSTITUTIONS) {
    app.get(`/assets/banks/${bank.id}.css`, async (_request, reply) =>
      reply.type('text/css; charset=utf-8').header('x-content-type-options', 'nosniff').send(bankStyles(bank)),
    )
  }
  app.get('/', { schema: { querystring: Search } }, async ({ query }, reply) =>
    sendPage(reply, homePage(world, query.q ?? '')),
  )
  linkPages(app, world, serviceUrl)
}
