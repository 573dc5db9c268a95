import { createEgress } from '../../src/events/egress.ts'

const DEFAULT = { allowsLoopback: false, isLocal: false, allowed: ['public'], denied: [], proxy: null }

/** Of a deployment that others reach, unless said otherwise. */
export const egressWith = (settings: Partial<Parameters<typeof createEgress>[0]>) =>
  createEgress({ ...DEFAULT, ...settings })
export const SHARED = egressWith({})
/** On a developer's machine, receivers are there, too. */
export const LOCAL = egressWith({ allowsLoopback: true, isLocal: true })
