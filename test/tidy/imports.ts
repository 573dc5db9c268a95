import { posix } from 'node:path'
import { lineAt, type Source } from './source.ts'

export type Import = {
  readonly specifier: string
  /** The file within the checkout, or null for a package. */
  readonly target: string | null
  readonly typeOnly: boolean
  readonly line: number
}

const FROM = /\b(?:import|export)\s+([\w\s{},*$]*?)\bfrom\s*'|\bimport\s*\(\s*'|\bimport\s*'/g

export function importsOf(source: Source): Import[] {
  return [...source.code.matchAll(FROM)].map((match) => {
    const begins = match.index + match[0].length
    const specifier = source.text.slice(begins, source.text.indexOf("'", begins))
    return {
      specifier,
      target: specifier.startsWith('.') ? posix.join(posix.dirname(source.path), specifier) : null,
      typeOnly: isTypeOnly(match[1]),
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
