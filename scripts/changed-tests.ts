import { findImports } from '../test/tidy/imports.ts'
import { findRoom } from '../test/tidy/rooms.ts'

/**
 * Selects the tests that a change can reach, for `npm test -- --changed` during development. It follows imports by
 * name, so importing one function of a room does not reach the entire room. Following imports through the files that
 * assemble the service and the command line would reach everything. A test that starts those is selected instead by the
 * paths or commands of the changed room that it calls. A full `npm test` must still pass before a change lands.
 */

// These run on every change.
const ALWAYS = ['test/tidy.test.ts', 'test/routes.test.ts', 'test/openapi-document.test.ts']
const ASSEMBLY = /^(src\/(app|main|worker|facts|refusals|descriptions|event-data)|cli\/program)\.ts$/
// Direct users of a changed file, and their users. Going further would select nearly all tests of the rooms above.
const DISTANCE_MAX = 2

/**
 * @param files the text of every source file of the checkout, by path
 * @param changed paths of changed files, which may be documents, migrations or deleted files
 */
export function testsReached(files: ReadonlyMap<string, string>, changed: readonly string[]): string[] {
  const users = Map.groupBy(usesIn(files), ({ target }) => target)
  const reached = new Set(changed.flatMap((path) => [path, ...findReaders(files, path)]))
  let frontier = [...reached]
  for (let distance = 0; distance < DISTANCE_MAX; distance++) {
    frontier = frontier
      .filter((path) => !ASSEMBLY.test(path) || changed.includes(path))
      .flatMap((target) => users.get(target)?.map(({ path }) => path) ?? [])
      .filter((path) => !reached.has(path))
    for (const path of frontier) reached.add(path)
  }
  const tests = [...files.keys()].filter((path) => path.endsWith('.test.ts'))
  const patterns = changed.map((path) => addressPattern(files, path)).filter((pattern) => pattern !== null)
  // Only a change to the console selects journeys through it: they take a minute, and page paths resemble the API's.
  const showsPages = changed.some((path) => path.startsWith('console/'))
  const calls = (path: string): boolean => {
    const text = files.get(path) ?? ''
    return (showsPages || !text.includes('support/console-pages')) && patterns.some((pattern) => pattern.test(text))
  }
  return tests.filter((path) => ALWAYS.includes(path) || reached.has(path) || calls(path))
}

/** One file's use of another: it imports a name that the other defines, or the whole file. */
type Use = { readonly path: string; readonly target: string }

function usesIn(files: ReadonlyMap<string, string>): Use[] {
  const imports = [...files].flatMap(([path, text]) =>
    // Passes the full text as the code, because separating code from comments takes seconds for all files.
    findImports({ path, text, code: text, comments: '', templates: [] }).flatMap(({ target, isExport, names }) =>
      target === null ? [] : [{ path, target, isExport, names }],
    ),
  )
  const isPassedOn = ({ isExport, names }: (typeof imports)[number]) => isExport && !names.includes('*')
  const passedOn = new Map(
    imports.filter(isPassedOn).flatMap(({ path, target, names }) => names.map((name) => [`${path} ${name}`, target])),
  )
  // A name that a room's index.ts re-exports counts as used where it is defined.
  const definedIn = (target: string, name: string): string => {
    const next = passedOn.get(`${target} ${name}`)
    return next === undefined ? target : definedIn(next, name)
  }
  return imports
    .filter((one) => !isPassedOn(one))
    .flatMap(({ path, target, names }) =>
      [...new Set(['', ...names].map((name) => definedIn(target, name)))].map((found) => ({ path, target: found })),
    )
}

/** Finds the files that read a document by its path, or contain SQL on a table that a migration refers to. */
function findReaders(files: ReadonlyMap<string, string>, changed: string): string[] {
  if (files.has(changed) && !changed.startsWith('db/')) return []
  const names = changed.startsWith('db/migrations/') ? tablesIn(files.get(changed) ?? '') : [changed]
  const isNamed = (text: string) => names.some((name) => text.includes(name))
  return [...files].filter(([path, text]) => path.endsWith('.ts') && isNamed(text)).map(([path]) => path)
}

function tablesIn(migration: string): string[] {
  return [...migration.matchAll(/\b(?:table|into|update|from|on)\s+(?:if (?:not )?exists )?(\w*_\w+|\w{6,})\b/g)].map(
    ([, name = '']) => name,
  )
}

/**
 * Matches tests that call the room of a changed file from outside: by the path of one of its routes, by its command, or
 * by its console page. Null if nothing outside can call it.
 */
function addressPattern(files: ReadonlyMap<string, string>, changed: string): RegExp | null {
  const command = /^cli\/commands\/([\w-]+)\.ts$/.exec(changed)?.[1]
  if (command !== undefined) return new RegExp(`\\['${command}['",]`)
  const page = /^console\/src\/pages\/([\w-]+)/.exec(changed)?.[1]
  if (page !== undefined) return new RegExp(`console-pages[^]*['\`]/${page}\\b`)
  if (changed.startsWith('console/')) return /support\/console-pages/
  const room = findRoom(changed)
  const routes = [...files].filter(
    ([path]) => room !== null && findRoom(path) === room && /routes\.ts$|assets\.ts$|health\.ts$/.test(path),
  )
  const addresses = routes.flatMap(([, text]) =>
    [...text.matchAll(/['`](?:[A-Z]+ )?(\/[a-z][\w/:{}.*-]*)['`]/g)].map(([, address = '']) => address),
  )
  if (addresses.length === 0) return null
  return new RegExp(`['"\`/ ](?:${[...new Set(addresses)].map(toPattern).join('|')})(?=['"\`?#\\s])`)
}

function toPattern(address: string): string {
  return address.replace(/[.]/g, '\\.').replace(/\{[^}]*\}|:\w+|\*/g, '(?:[^/\'"\\s]+)')
}
