import { posix } from 'node:path'
import { lineAt, type Source } from './source.ts'

type Import = {
  readonly specifier: string
  /** The file in the checkout; null for a package. */
  readonly target: string | null
  readonly typeOnly: boolean
  /** True if the file re-exports the names. */
  readonly isExport: boolean
  /** The imported names. `*` stands for a full re-export, and a dynamic import yields every word in this file. */
  readonly names: readonly string[]
  readonly line: number
}

const FROM = /\b(?:import|export)\s+([\w\s{},*$]*?)\bfrom\s*'|\bimport\s*\(\s*'|\bimport\s*'/g

export function findImports(source: Source): Import[] {
  return [...source.code.matchAll(FROM)].map((match) => {
    const begins = match.index + match[0].length
    const specifier = source.text.slice(begins, source.text.indexOf("'", begins))
    return {
      specifier,
      target: specifier.startsWith('.') ? posix.join(posix.dirname(source.path), specifier) : null,
      typeOnly: isTypeOnly(match[1]),
      isExport: match[0].startsWith('export'),
      names: /^import\s*\(/.test(match[0]) ? (source.code.match(/\w+/g) ?? []) : namesTaken(source, match[1] ?? ''),
      line: lineAt(source.text, match.index),
    }
  })
}

function isTypeOnly(clause: string | undefined): boolean {
  if (clause === undefined) return false
  if (/^type\b/.test(clause)) return true
  const names = /\{([^}]*)\}/
    .exec(clause)?.[1]
    ?.split(',')
    .filter((name) => name.trim() !== '')
  return names?.every((name) => /^\s*type\s/.test(name)) ?? false
}

/** Returns the names in an import clause. `* as it` yields each `it.name`. */
function namesTaken({ code }: Source, clause: string): string[] {
  const whole = /^\* as (\w+)/.exec(clause)?.[1]
  if (whole !== undefined)
    return [...code.matchAll(new RegExp(`\\b${whole}\\.(\\w+)`, 'g'))].map(([, name = '']) => name)
  if (clause.trim() === '*') return ['*']
  return namesIn(/\{([^}]*)\}/.exec(clause)?.[1] ?? '').map(({ name }) => name)
}

/** Parses a list such as `a, type b as c` into each name and its alias. */
export function namesIn(list: string): { readonly name: string; readonly shownAs: string }[] {
  return list.split(',').flatMap((item) => {
    const [, name, shownAs = name] = /^\s*(?:type\s)?(\w+)(?: as (\w+))?\s*$/.exec(item) ?? []
    return name === undefined || shownAs === undefined ? [] : [{ name, shownAs }]
  })
}
