import fc, { type IProperty, type Parameters } from 'fast-check'

/**
 * Replaces `fast-check` while rules are mutated. Most mutants fail within a few cases, and running thousands for every
 * survivor would be expensive.
 */

const RUNS_MAX = 40

const assert = ((property: IProperty<unknown>, parameters?: Parameters<unknown>) =>
  fc.assert(property, {
    ...parameters,
    numRuns: Math.min(parameters?.numRuns ?? RUNS_MAX, RUNS_MAX),
  })) as typeof fc.assert

export default { ...fc, assert }
