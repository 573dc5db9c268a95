import { glob } from 'node:fs/promises'
import { registerHooks } from 'node:module'
import { basename, dirname, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'

const TESTS = [
  'src/matching/*.test.ts',
  'src/rewards/{rules,figures,bounds,amounts,parts-rules,periods,slots}.test.ts',
  'test/offers/*.test.ts',
]

const STAND_INS = new Map([
  ['node:test', new URL('tests.ts', import.meta.url).href],
  ['fast-check', new URL('properties.ts', import.meta.url).href],
])

/** Tests are taken down by the module that stands in for node's runner. */
export function standIn(): void {
  registerHooks({
    resolve: (specifier, context, next) => {
      const url = STAND_INS.get(specifier)
      return url === undefined || context.parentURL === url ? next(specifier, context) : { url, shortCircuit: true }
    },
  })
}

export const load = (file: string): Promise<unknown> => import(pathToFileURL(join(process.cwd(), file)).href)

export const testFiles = (): Promise<string[]> => Array.fromAsync(glob(TESTS))

/** The tests of a mutated file itself first, then those of its room: they are likeliest to notice what is broken. */
export async function testFilesFor(mutated: string): Promise<string[]> {
  const name = basename(mutated, '.ts')
  const room = dirname(relative(process.cwd(), mutated))
  const distance = (file: string) => (dirname(file) !== room ? 2 : basename(file).startsWith(name) ? 0 : 1)
  return (await testFiles()).sort((one, other) => distance(one) - distance(other))
}
