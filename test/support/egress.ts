import { createEgress } from '../../src/events/egress/egress.ts'

const DEFAULT = { allowsLoopback: false, isLocal: false, allowed: ['public'], denied: [], proxy: null }

/** Egress of a publicly reachable deployment, unless the settings say otherwise. */
export const egressWith = (settings: Partial<Parameters<typeof createEgress>[0]>) =>
  createEgress({ ...DEFAULT, ...settings })
export const SHARED = egressWith({})
/** Egress of a developer's machine, which may call receivers on itself. */
export const LOCAL = egressWith({ allowsLoopback: true, isLocal: true })
