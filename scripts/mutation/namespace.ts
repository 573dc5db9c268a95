import type { InstrumenterContext } from '@stryker-mutator/api/core'

/** The state that the mutated files read and count in, under the name that Stryker gives it. */
type Namespace = { -readonly [Name in keyof InstrumenterContext]: InstrumenterContext[Name] | undefined }

declare global {
  var __stryker__: Namespace | undefined
}

globalThis.__stryker__ ??= {}

/** The same object while the files are loaded, because they keep a reference to it. */
export const namespace: Namespace = globalThis.__stryker__

// Stryker allows a hundred times the iterations that all tests take together, which can be minutes.
const manyTurns = 20_000_000
const turnsAllowed = (hitLimit: number) => Math.max(hitLimit / 10, Math.min(hitLimit, manyTurns))

/** From now on the files behave as this mutant; after so many iterations it counts as an endless loop. */
export function activate(mutantId: string, hitLimit: number | undefined): void {
  Object.assign(namespace, {
    activeMutant: mutantId,
    hitCount: hitLimit === undefined ? undefined : 0,
    hitLimit: hitLimit === undefined ? undefined : turnsAllowed(hitLimit),
  })
}

export function deactivate(): void {
  Object.assign(namespace, { activeMutant: undefined, hitCount: undefined, hitLimit: undefined })
}
