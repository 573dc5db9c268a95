/**
 * Secrets: the vault that seals what must not be read in the database, its master keys, and their rotation.
 * Promises that a sealed value opens only in its own context, that replacing the master key fails no call, and that
 * afterwards no record is left under the old key.
 */
export { type Carrier, createCarrier, newCarrierKey } from './carrier.ts'
export { faultOfKeys, rotationBegun } from './installation.ts'
export { keySourceOf } from './key-source.ts'
export { listHolders, listMasterKeys } from './queries.ts'
export { countByColumn, type RotationProgress, RotationStopped, rotateMasterKey } from './rotation.ts'
export { ALIVE_SECONDS, openSecrets, type Secrets } from './service.ts'
export type { Vault } from './vault.ts'
