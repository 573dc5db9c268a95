import fc, { type IProperty, type Parameters } from 'fast-check'

/** Stands in for `fast-check` while rules are mutated. What a mutant breaks shows soon; thousands of draws would be paid by each that survives. */
const RUNS_MAX = 40

const assert = ((property: IProperty<unknown>, parameters?: Parameters<unknown>) =>
  fc.assert(property, {
    ...parameters,
    numRuns: Math.min(parameters?.numRuns ?? RUNS_MAX, RUNS_MAX),
  })) as typeof fc.assert

export default { ...fc, assert }
