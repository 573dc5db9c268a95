import type { InstrumenterContext } from '@stryker-mutator/api/core'

/** The state that mutated files read and update, under Stryker's name for it. */
type Namespace = { -readonly [Name in keyof InstrumenterContext]: InstrumenterContext[Name] | undefined }

declare global {
  var __stryker__: Namespace | undefined
}

globalThis.__stryker__ ??= {}

/** Must stay the same object once files are loaded, because they keep a reference to it. */
export const namespace: Namespace = globalThis.__stryker__

// Stryker allows a hundred times the iterations of all tests together, which can take minutes.
const manyTurns = 20_000_000
const turnsAllowed = (hitLimit: number) => Math.max(hitLimit / 10, Math.min(hitLimit, manyTurns))

/**
 * Makes the files behave as this mutant from now on. A mutant that exceeds its allowed iterations counts as an infinite
 * loop.
 */
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
