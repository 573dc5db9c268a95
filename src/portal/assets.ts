import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { type App, Problem } from '../platform/http/index.ts'

const STYLES = 'text/css; charset=utf-8'
const SCRIPT = 'text/javascript; charset=utf-8'
const FONT = 'font/woff2'

function resolveFont(name: string): URL {
  return new URL(import.meta.resolve(`@fontsource-variable/${name}/files/${name}-latin-wght-normal.woff2`))
}

const own = (name: string): URL => new URL(`assets/${name}`, import.meta.url)

const FILES: Readonly<Record<string, readonly [type: string, url: URL]>> = {
  'portal.css': [STYLES, own('portal.css')],
  'portal.js': [SCRIPT, own('portal.js')],
  'link.js': [SCRIPT, own('link.js')],
  'passkeys.js': [SCRIPT, own('passkeys.js')],
  'geist.woff2': [FONT, resolveFont('geist')],
  'bricolage.woff2': [FONT, resolveFont('bricolage-grotesque')],
}

type Asset = {
  readonly type: string
  readonly body: Buffer
  /** Bodies by content encoding, best first. Empty for fonts, which are already compressed. */
  readonly encoded: readonly (readonly [encoding: string, body: Buffer])[]
}

// Read and compressed once, at startup.
const assets = new Map(
  Object.entries(FILES).map(([name, [type, url]]): [string, Asset] => {
    const body = readFileSync(url)
    const encoded =
      type === FONT
        ? []
        : ([
            ['br', brotliCompressSync(body)],
            ['gzip', gzipSync(body)],
          ] as const)
    return [name, { type, body, encoded }]
  }),
)

/** The base path of the assets. It changes with their content, so browsers can cache them forever. */
export const ASSETS = `/portal/assets/${computeVersion([...assets.values()])}`

function computeVersion(all: readonly Asset[]): string {
  const hash = createHash('sha256')
  for (const { body } of all) hash.update(body)
  return hash.digest('hex').slice(0, 16)
}

// Publishers' pages load this script from an address without a version, so it is cached for only an hour.
const EMBED = readFileSync(own('embed.js'))
const HOUR = 'public, max-age=3600'

const FOREVER = 'public, max-age=31536000, immutable'

export function assetRoutes(app: App): void {
  app.get('/portal/embed.js', { schema: { hide: true } }, async (_request, reply) =>
    reply.header('Cache-Control', HOUR).type(SCRIPT).send(EMBED),
  )
  app.get('/portal/assets/:version/:file', { schema: { hide: true } }, async (request, reply) => {
    const { version = '', file = '' } = request.params as Readonly<Record<string, string>>
    const asset = assets.get(file)
    if (asset === undefined) throw new Problem('route_not_found', 'There is nothing at this URL.')
    const accepted = request.headers['accept-encoding'] ?? ''
    const [encoding, body] = asset.encoded.find(([name]) => accepted.includes(name)) ?? [null, asset.body]
    if (encoding !== null) reply.header('Content-Encoding', encoding)
    // During a deployment, a page from one version may be served assets by a process running another.
    reply.header('Cache-Control', ASSETS.endsWith(`/${version}`) ? FOREVER : 'no-cache')
    return reply
      .header('Vary', 'Accept-Encoding')
      .header('Cross-Origin-Resource-Policy', 'same-origin')
      .type(asset.type)
      .send(body)
  })
}
