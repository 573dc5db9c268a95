import { posix } from 'node:path'

/** One file uses another by importing a name it defines, or all of it. */
type Use = { readonly path: string; readonly target: string }

const IMPORT =
  /^(import|export)\s+(?:type\s+)?([\w\s{},*$]*?)\s*\bfrom '(\.[^']+)'|\bimport\(\s*'(\.[^']+)'|^import '(\.[^']+)'/gm

type Import = Use & { readonly isExport: boolean; readonly names: readonly string[] | null }

/** @param files the text of each source file, by path */
export function usesIn(files: ReadonlyMap<string, string>): Use[] {
  const imports = [...files].flatMap(([path, text]) => importsIn(path, text))
  const passedOn = new Map(
    imports
      .filter(({ isExport }) => isExport)
      .flatMap(({ path, target, names }) => (names ?? []).map((name) => [`${path} ${name}`, target])),
  )
  // A name that a room's index.ts re-exports counts as used where it is defined.
  const definedIn = (target: string, name: string): string => {
    const next = passedOn.get(`${target} ${name}`)
    return next === undefined ? target : definedIn(next, name)
  }
  return imports
    .filter(({ isExport, names }) => !isExport || names === null)
    .flatMap(({ path, target, names }) =>
      (names ?? [null]).map((name) => ({ path, target: name === null ? target : definedIn(target, name) })),
    )
}

/** The imports of a file. `names` is null if it imports the other file as a whole. */
function importsIn(path: string, text: string): Import[] {
  return [...text.matchAll(IMPORT)].map(([, keyword, clause = '', ...targets]) => {
    const list = clause.includes('*') ? null : /\{([^}]*)\}/.exec(clause)?.[1]
    return {
      path,
      target: posix.join(posix.dirname(path), targets.find((target) => target !== undefined) ?? ''),
      isExport: keyword === 'export',
      names: list == null ? null : list.split(',').flatMap((item) => /^\s*(?:type\s+)?(\w+)/.exec(item)?.[1] ?? []),
    }
  })
}
