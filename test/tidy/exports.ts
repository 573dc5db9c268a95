import { findBeyond } from './exceptions.ts'
import { findImports, namesIn } from './imports.ts'
import { findRoom, isTest } from './rooms.ts'
import { lineAt, type Source } from './source.ts'

// The number of exports in each room that only tests import. Most tests could use the room's index.ts instead. The list
// may only shrink.
const FOR_TESTS: Readonly<Record<string, number>> = {
  scripts: 3,
  simulator: 6,
  platform: 3,
  'platform/postgres': 1,
  'platform/vault': 2,
  'tenants/publishers': 1,
  ledger: 1,
  events: 4,
  'catalog/catalog': 9,
  'catalog/offers': 1,
  'catalog/merchants': 4,
  'purchases/transactions': 2,
  'purchases/linker': 6,
  'data/reports': 1,
}

// Stryker loads these files by name.
const LOADED_BY_NAME = /^scripts\/mutation\//

/** Lists exports that no other file imports, and exports of a room's index.ts that no file outside the room imports. */
export function unusedExports(sources: readonly Source[]): string[] {
  return usedExports(sources)
    .filter(({ path, users }) => users.length === 0 && !LOADED_BY_NAME.test(path))
    .map(({ path, line, name }) => `${path}:${line} exports ${name}, which nothing else imports`)
}

export function exportsForTests(sources: readonly Source[], most = FOR_TESTS): string[] {
  const found = usedExports(sources)
    .filter(({ path, users }) => users.length > 0 && users.every(isTest) && !isTest(path))
    .map(({ path, name }) => ({ place: findRoom(path) ?? path.split('/')[0] ?? path, what: `${path} ${name}` }))
  return findBeyond(found, most).map((fault) => `exports only for tests: ${fault}`)
}

type Export = { readonly path: string; readonly name: string; readonly line: number }

function usedExports(sources: readonly Source[]): (Export & { readonly users: readonly string[] })[] {
  const users = usersByName(sources)
  return sources.flatMap(findExports).map((found) => {
    const room = found.path === `src/${findRoom(found.path)}/index.ts` ? findRoom(found.path) : null
    const all = users.get(`${found.path} ${found.name}`) ?? []
    return { ...found, users: all.filter((user) => room === null || findRoom(user) !== room) }
  })
}

function findExports({ path, code }: Source): Export[] {
  const declared = code.matchAll(/^export (?:async )?(?:function\*?|const|let|class|type|interface) (\w+)/gm)
  const listed = code.matchAll(/^export (?:type )?\{([^}]*)\}/gm)
  return [
    ...[...declared].map(({ 1: name = '', index }) => ({ path, name, line: lineAt(code, index) })),
    ...[...listed].flatMap(({ 1: list = '', index }) =>
      namesIn(list).map(({ shownAs }) => ({ path, name: shownAs, line: lineAt(code, index) })),
    ),
  ]
}

/**
 * Returns the files that import each name, keyed by `path name`. An import from a file with `export *` counts for both
 * files.
 */
function usersByName(sources: readonly Source[]): Map<string, string[]> {
  const imports = sources.flatMap((source) =>
    findImports(source).flatMap(({ target, names }) => names.map((name) => ({ from: source.path, target, name }))),
  )
  const wholes = imports.filter(({ name }) => name === '*')
  const through = imports.flatMap((taken) =>
    wholes.filter(({ from }) => from === taken.target).map(({ target }) => ({ ...taken, target })),
  )
  const users = Map.groupBy([...imports, ...through], ({ target, name }) => `${target} ${name}`)
  return new Map([...users].map(([key, all]) => [key, all.map(({ from }) => from)]))
}

const TYPE = /^(export )?(?:type|class|interface) (\w+)/gm

/**
 * Lists types that reuse the name of a type exported by another file. The simulator is a separate program with its own
 * names.
 */
export function reusedTypeNames(sources: readonly Source[]): string[] {
  const types = sources
    .filter(({ path }) => /^(src|cli)\//.test(path) && !isTest(path))
    .flatMap(({ path, code }) =>
      [...code.matchAll(TYPE)].map(({ 1: head, 2: name = '', index }) => {
        return { path, name, line: lineAt(code, index), isExported: head !== undefined }
      }),
    )
  const owners = Map.groupBy(
    types.filter(({ isExported }) => isExported),
    ({ name }) => name,
  )
  return types.flatMap(({ path, name, line }) => {
    const other = owners.get(name)?.find((owner) => owner.path !== path)
    return other ? [`${path}:${line} calls a type ${name}, as ${other.path} does`] : []
  })
}
