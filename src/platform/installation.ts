import { ConfigError } from './config.ts'
import type { Database } from './database.ts'
import type { Vault } from './vault.ts'

/**
 * A process with another master key could seal secrets that no other opens, and open none of theirs.
 * @throws ConfigError
 */
export async function checkMasterKey(db: Database, vault: Vault): Promise<void> {
  const fingerprint = vault.fingerprint('master key', 'installation')
  await db.reader`insert into installation (master_key_fingerprint) values (${fingerprint}) on conflict do nothing`
  const [row] = await db.reader<{ kept: Buffer }[]>`select master_key_fingerprint as kept from installation`
  if (row?.kept.equals(fingerprint)) return
  throw new ConfigError(
    'The master key is not the one that this database was set up with: set LAUREL_MASTER_KEY to it, or bring back the data folder in which it was generated (master.key).',
  )
}
