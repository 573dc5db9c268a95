import { posix } from 'node:path'
import { findImports } from './imports.ts'
import type { Source } from './source.ts'

/**
 * The floors from the bottom up, each with its rooms in order. A room imports only rooms before it
 * (docs/decisions/0002-rooms.md). A floor without a list is a single room.
 */
const FLOORS: Readonly<Record<string, readonly string[]>> = {
  platform: ['', 'postgres', 'web', 'vault'],
  tenants: ['accounts', 'publishers', 'access'],
  ledger: [''],
  events: [''],
  users: ['terms', 'users', 'adjustments'],
  sources: ['cards', 'affiliate'],
  catalog: ['catalog', 'offers', 'merchants', 'reviews', 'allowances'],
  purchases: ['transactions', 'linker', 'claims'],
  payouts: ['contradictions', 'gift-cards', 'redemptions'],
  data: ['tables', 'erasure', 'publisher-export', 'reports'],
  books: ['statements', 'reconciliation'],
  portal: [''],
  'back-office': [''],
}

/** All rooms in order, as paths under src/. */
export const ROOMS = Object.entries(FLOORS).flatMap(([floor, rooms]) => rooms.map((room) => posix.join(floor, room)))

/** Returns the room of a path; null for files outside src/ or directly in it. */
export function findRoom(path: string): string | null {
  const [area, floor = '', second = '', file] = path.split('/')
  if (area !== 'src' || second === '') return null
  const named = file !== undefined && FLOORS[floor]?.includes(second)
  return named ? `${floor}/${second}` : floor
}

/** Returns true for the platform, the only room that may use the machine: its clock, network, environment and raw SQL. */
export function knowsMachine(path: string): boolean {
  return ['platform', 'platform/postgres'].includes(findRoom(path) ?? '')
}

/** Returns true for tests and their support files, which may import any file in a room. */
export function isTest(path: string): boolean {
  return /\.test\.ts$|(^|\/)test(ing|-support)\.ts$|^test\//.test(path)
}

export function wrongImports(sources: readonly Source[]): string[] {
  return sources
    .filter((source) => !isTest(source.path))
    .flatMap((source) =>
      findImports(source).flatMap(({ target, line }) => {
        const fault = target === null ? null : findImportFault(source.path, target)
        return fault === null ? [] : [`${source.path}:${line} ${fault}`]
      }),
    )
}

function findImportFault(from: string, target: string): string | null {
  const [area, targetArea] = [from, target].map((path) => path.split('/')[0])
  const [own, room] = [findRoom(from), findRoom(target)]
  if (area === 'simulator') return targetArea === 'simulator' ? null : `the simulator shares no code: ${target}`
  if (area === 'src' && targetArea !== 'src') return `src imports only src: ${target}`
  if (targetArea !== 'src' || room === own) return null
  if (room === null) return own === null || area !== 'src' ? null : `a room does not import the whole: ${target}`
  const rank = ROOMS.indexOf(room)
  if (rank < 0) return `${room} has no place in the order of the rooms`
  // The platform has no index.ts, because its files are small and named after their content.
  if (room !== 'platform' && target !== `src/${room}/index.ts`) return `${room} is entered by its index.ts: ${target}`
  if (area === 'src' && own !== null && rank > ROOMS.indexOf(own)) return `${own} stands before ${room}`
  return null
}

/** Lists cycles of files that import each other, type imports included. */
export function rings(sources: readonly Source[]): string[] {
  const edges = new Map(
    sources.map((source) => [source.path, findImports(source).flatMap(({ target }) => target ?? [])]),
  )
  const found: string[] = []
  const state = new Map<string, 'open' | 'done'>()
  const walk = (path: string, trail: readonly string[]) => {
    if (state.get(path) === 'done') return
    if (state.get(path) === 'open') {
      found.push([...trail.slice(trail.indexOf(path)), path].join(' → '))
      return
    }
    state.set(path, 'open')
    for (const next of edges.get(path) ?? []) walk(next, [...trail, path])
    state.set(path, 'done')
  }
  for (const path of edges.keys()) walk(path, [])
  return found
}

/**
 * Lists folders that import each other. A folder and one inside it may, because the files at the top of a room are both
 * its vocabulary and its interface, and cycles of files are reported separately.
 */
export function mutualFolders(sources: readonly Source[]): string[] {
  const pairs = sources
    .filter(({ path }) => /^(console\/)?src\//.test(path) && !isTest(path))
    .flatMap((source) => {
      const from = posix.dirname(source.path)
      return findImports(source).flatMap(({ target, line }) => {
        const to = target === null ? from : posix.dirname(target)
        const isInside = `${from}/`.startsWith(`${to}/`) || `${to}/`.startsWith(`${from}/`)
        return isInside ? [] : [{ from, to, place: `${source.path}:${line}` }]
      })
    })
  const known = new Set(pairs.map(({ from, to }) => `${from} ${to}`))
  return pairs
    .filter(({ from, to }) => known.has(`${to} ${from}`))
    .map(({ to, place }) => `${place} imports ${to}, which imports this folder`)
}

// Imports allowed in pure rules besides other rules and types: arithmetic and fixed tables.
const PURE = new Set([
  'src/platform/money.ts',
  'src/platform/calendar.ts',
  'src/platform/conflict.ts',
  'src/platform/geography.ts',
  'src/platform/sharded-map.ts',
  'src/platform/text/text-hash.ts',
  // These rooms are pure throughout, so their exports are too.
  'src/catalog/merchants/index.ts',
  'src/catalog/offers/index.ts',
])

/** Rules take time, randomness and rows as arguments, so they may import nothing that could fetch them. */
export function impureRules(sources: readonly Source[]): string[] {
  return sources
    .filter((source) => isRules(source.path))
    .flatMap((source) =>
      findImports(source).flatMap(({ specifier, target, typeOnly, line }) => {
        const allowed = typeOnly || (target !== null && (PURE.has(target) || isRules(target)))
        return allowed
          ? []
          : [
              `${source.path}:${line} rules import types, money, the calendar, geography, maps and rules, not ${specifier}`,
            ]
      }),
    )
}

/** Two rooms are pure throughout (no I/O and no clock), so every file in them is checked. */
function isRules(path: string): boolean {
  return (/(^|[/-])rules\.ts$/.test(path) || /^src\/catalog\/(merchants|offers)\/(?!index)/.test(path)) && !isTest(path)
}

// Files besides routes that handle requests, for authentication, idempotency and auditing.
const DOOR =
  /^src\/(platform\/|app\.ts$|tenants\/access\/(authenticate-(publishers|operators)|idempotency|audit-request)\.ts$)|(^|[/-])(routes|jobs)\.ts$/

/** Only routes and jobs may import Fastify. The schemas and errors of platform/http are open to all. */
export function strayFastify(sources: readonly Source[]): string[] {
  return sources
    .filter((source) => source.path.startsWith('src/') && !isTest(source.path) && !DOOR.test(source.path))
    .flatMap((source) =>
      findImports(source).flatMap(({ specifier, line }) =>
        /^(@?fastify)\b/.test(specifier) ? [`${source.path}:${line} only routes and jobs know ${specifier}`] : [],
      ),
    )
}
