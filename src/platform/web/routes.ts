import { glob, readFile } from 'node:fs/promises'
import { extname, join, sep } from 'node:path'
import type { FastifyReply } from 'fastify'
import { type App, Problem } from '../http/index.ts'

type BuiltFile = { readonly type: string; readonly body: Buffer; readonly brotli: Buffer | null }
type Deps = {
  /** The build folder, pending while the build runs; null if this process does not serve the console. */
  readonly consoleFolder: Promise<string> | null
}

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}
const PAGE = 'index.html'
// Asset names contain a hash of their content.
const FOREVER = 'public, max-age=31536000, immutable'

/** Serves the console's assets, and its single page at every other address under /console. */
export function consoleRoutes(app: App, { consoleFolder }: Deps): void {
  let files: Promise<ReadonlyMap<string, BuiltFile>> | null = null
  const find = async (path: string): Promise<BuiltFile> => {
    // About a megabyte, loaded on the first request.
    files ??= consoleFolder === null ? Promise.resolve(new Map()) : consoleFolder.then(readBuild)
    const file = (await files).get(path)
    if (file === undefined) throw new Problem('route_not_found', 'The console has no such file.')
    return file
  }
  const hidden = { schema: { hide: true } }
  for (const address of ['/console', '/console/*'])
    app.get(address, hidden, async ({ headers }, reply) =>
      send(reply.header('Cache-Control', 'no-cache'), await find(PAGE), headers['accept-encoding']),
    )
  app.get<{ Params: { '*': string } }>('/console/assets/*', hidden, async ({ params, headers }, reply) => {
    const file = await find(`assets/${params['*']}`)
    return send(reply.header('Cache-Control', FOREVER), file, headers['accept-encoding'])
  })
}

function send(reply: FastifyReply, { type, body, brotli }: BuiltFile, accepted = ''): FastifyReply {
  reply.type(type).header('Vary', 'Accept-Encoding')
  return brotli !== null && /\bbr\b/.test(accepted)
    ? reply.header('Content-Encoding', 'br').send(brotli)
    : reply.send(body)
}

async function readBuild(folder: string): Promise<ReadonlyMap<string, BuiltFile>> {
  const contents = new Map<string, Buffer>()
  for await (const path of glob('**/*.*', { cwd: folder }))
    contents.set(path.split(sep).join('/'), await readFile(join(folder, path)))
  return new Map(
    [...contents].flatMap(([path, body]) => {
      const type = TYPES[extname(path)]
      return type === undefined ? [] : [[path, { type, body, brotli: contents.get(`${path}.br`) ?? null }] as const]
    }),
  )
}
