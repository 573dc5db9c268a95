import { glob } from 'node:fs/promises'
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { listTests } from './tests.ts'

const TESTS = [
  'src/{merchants,offers}/**/*.test.ts',
  'src/catalog/allowances/{periods,slots}.test.ts',
  'src/purchases/transactions/replay/replay.test.ts',
  'src/purchases/transactions/fold/*.test.ts',
  'src/purchases/transactions/intake/reported-sales.test.ts',
  'test/offers/*.test.ts',
]

const STAND_INS = new Map([
  ['node:test', new URL('tests.ts', import.meta.url).href],
  ['fast-check', new URL('properties.ts', import.meta.url).href],
])

/** Redirects imports of node's test runner and fast-check to their replacements. */
export function standIn(): void {
  registerHooks({
    resolve: (specifier, context, next) => {
      const url = STAND_INS.get(specifier)
      return url === undefined || context.parentURL === url ? next(specifier, context) : { url, shortCircuit: true }
    },
  })
}

export const testFiles = (): Promise<string[]> => Array.fromAsync(glob(TESTS, { exclude: ['**/packs/**'] }))

/** Loads a file and returns the names of its tests. */
export async function load(file: string): Promise<string[]> {
  const before = listTests().length
  await import(pathToFileURL(join(process.cwd(), file)).href)
  return listTests().slice(before)
}
