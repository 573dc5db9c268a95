/**
 * Secrets: the vault that seals what must not be readable in the database, its master keys, and their rotation.
 * Guarantees that a sealed value opens only in its own context, that no call fails because the master key is rotated,
 * and that no record is left under the old key afterward.
 */
export { type Carrier, createCarrier, newCarrierKey } from './carrier.ts'
export { describeRotation, findKeyFault } from './installation.ts'
export { chooseKeySource } from './key-source.ts'
export { listHolders, listMasterKeys } from './queries.ts'
export { countByColumn, type RotationProgress, RotationStopped, rotateMasterKey } from './rotation.ts'
export { ALIVE_SECONDS, openSecrets, type Secrets } from './service.ts'
export type { Vault } from './vault.ts'
