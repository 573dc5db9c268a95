import { isTest, knowsMachine } from './rooms.ts'
import { lineAt, type Source } from './source.ts'

type Ban = {
  readonly what: string
  readonly pattern: RegExp
  /** The part of a file that is searched. */
  readonly part: 'code' | 'comments' | 'text'
  readonly holds: (path: string) => boolean
}

const inRooms = (path: string): boolean => path.startsWith('src/') && !knowsMachine(path) && !isTest(path)
const inSrc = (path: string): boolean => path.startsWith('src/') && !isTest(path)
const except =
  (within: (path: string) => boolean, ...paths: readonly string[]) =>
  (path: string): boolean =>
    within(path) && !paths.includes(path)
const everywhere = (): boolean => true
// Split in two, so this list does not match itself.
const word = (...halves: readonly [string, string]): string => halves.join('')

export const BANS: readonly Ban[] = [
  {
    what: 'the time is an argument; only the platform reads a clock',
    pattern: /\bDate\.now\b|\bnew Date\(\s*\)|\bperformance\.now\b/g,
    part: 'code',
    holds: inRooms,
  },
  {
    what: 'settings come from platform/config.ts, once',
    pattern: /\bprocess\.env\b/g,
    part: 'code',
    holds: (path) => inRooms(path) || path === 'src/platform/http/app.ts',
  },
  {
    what: 'randomness comes from platform/jitter.ts, and only spreads work over time',
    pattern: /\bMath\.random\b/g,
    part: 'code',
    holds: except(inSrc, 'src/platform/jitter.ts'),
  },
  {
    what: 'only the provider, clients of partners and report storage call fetch',
    pattern: /\bfetch\(|\bWebSocket\b|\bXMLHttpRequest\b/g,
    part: 'code',
    // The portal's assets run in a browser and call their own service.
    holds: except(
      (path) => inSrc(path) && !path.startsWith('src/portal/assets/'),
      'src/purchases/linker/plaid/provider.ts',
      'src/platform/partner-client.ts',
      'src/data/reports/storage/s3.ts',
    ),
  },
  {
    what: 'only the provider and webhook delivery import network clients',
    pattern: /from '(undici|axios|plaid|node:(http|https|http2|tls|dgram|net|dns))'/g,
    part: 'text',
    // The egress folder checks addresses with the block lists of node:net, which opens no connection.
    holds: except(
      (path) => inRooms(path) && !/^src\/(purchases\/linker\/plaid|events\/egress)\//.test(path),
      'src/events/delivery/post.ts',
    ),
  },
  {
    what: 'no float near money: platform/money.ts converts at the edges',
    pattern:
      /\bparseFloat\b|\.toFixed\(|(?<!\.)\bNumber\([^(){]*(amount|minor|gross|cashback|discount|balance|fee|share)/gi,
    part: 'code',
    // The provider writes amounts as floating-point numbers, and parse-row.ts removes their noise.
    holds: except(
      (path) => inSrc(path) && !/(^|[/-])schema\.ts$/.test(path),
      'src/platform/money.ts',
      'src/purchases/linker/feed/plan/parse-row.ts',
    ),
  },
  {
    what: 'a list of operators is registered with listOperation, which gives it a cursor and CSV',
    pattern: /\breadList\(/g,
    part: 'code',
    holds: (path) => inSrc(path) && !path.startsWith('src/tenants/access/'),
  },
  {
    what: 'no work is left for later',
    pattern: new RegExp(`\\b(${word('FIX', 'ME')}|${word('TO', 'DO')}|${word('XX', 'X')}|${word('HA', 'CK')})\\b`, 'g'),
    part: 'text',
    holds: everywhere,
  },
  {
    what: 'no test is skipped or run in isolation',
    pattern: /\b(test|it|describe|suite)\.(skip|only|todo)\b|\b(skip|only|todo): (true|')|\bt\.(skip|todo)\(/g,
    part: 'code',
    holds: isTest,
  },
  {
    what: 'the compiler is never silenced',
    pattern: /@ts-(ignore|nocheck|expect-error)/g,
    part: 'comments',
    holds: everywhere,
  },
  {
    what: 'no enum or namespace: Node strips types and cannot run them',
    pattern: /^\s*(export )?(declare )?(const )?enum \w|^\s*(export )?namespace \w/gm,
    part: 'code',
    holds: everywhere,
  },
  {
    what: 'the word is email, as in the API',
    pattern: /\b[eE]-mail/g,
    part: 'text',
    // Applied migrations never change.
    holds: (path) => !path.startsWith('db/'),
  },
  {
    what: 'the project does not mention where it was written',
    pattern: new RegExp(
      `/${word('wo', 'rk')}/(main|shared)|/tmp/${word('br', 'ief')}|\\b${word('shared', '/')}(interface|design|style)\\.md|\\bissue #?\\d+|\\b(${word('Cla', 'ude')}|${word('Anth', 'ropic')}|${word('Chat', 'GPT')})\\b`,
      'gi',
    ),
    part: 'text',
    holds: everywhere,
  },
]

export function banned(sources: readonly Source[], bans: readonly Ban[] = BANS): string[] {
  return bans.flatMap((ban) =>
    sources
      .filter(({ path }) => ban.holds(path))
      .flatMap((source) =>
        [...source[ban.part].matchAll(ban.pattern)].map(
          ({ index, 0: found }) => `${source.path}:${lineAt(source.text, index)} ${found.trim()}: ${ban.what}`,
        ),
      ),
  )
}

/** `any` turns off type checking for everything it touches, so it requires a linter comment with a reason. */
export function unexplainedAny(sources: readonly Source[]): string[] {
  return sources.flatMap((source) => {
    const comments = source.comments.split('\n')
    return [...source.code.matchAll(/[:<,|&(=]\s*any\b(?!\()|\bas any\b/g)].flatMap(({ index, 0: found }) => {
      const line = lineAt(source.text, index + found.length)
      return /biome-ignore \S*noExplicitAny: \S/.test(comments[line - 2] ?? '')
        ? []
        : [`${source.path}:${line} any without a reason`]
    })
  })
}
