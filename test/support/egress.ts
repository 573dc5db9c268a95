import { createEgress } from '../../src/events/egress/egress.ts'

const DEFAULT = { allowsLoopback: false, isLocal: false, allowed: ['public'], denied: [], proxy: null }

/** The egress of a publicly reachable deployment, with any settings that differ. */
export const egressWith = (settings: Partial<Parameters<typeof createEgress>[0]>) =>
  createEgress({ ...DEFAULT, ...settings })
export const SHARED = egressWith({})
/** The egress of a developer's machine, which may call receivers on itself. */
export const LOCAL = egressWith({ allowsLoopback: true, isLocal: true })
