import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { beginFeedEpoch } from '../../src/events/index.ts'
import { readConfig } from '../../src/platform/config/config.ts'
import { restoreCluster } from '../../src/platform/postgres/index.ts'
import { chooseKeySource } from '../../src/platform/vault/index.ts'
import { openStorage } from '../../src/storage.ts'
import { type By, withBy } from '../actor.ts'
import { UserError } from '../errors.ts'
import { shell } from '../shell.ts'
import { change, withStorage } from '../storage.ts'
import { answer, answerJson, note } from '../terminal.ts'
import { verifyAll } from './ledger.ts'

export function define(command: Command): void {
  withBy(command).argument('<folder>', 'a folder created by `laurel backup`').action(restore)
}

async function restore(folder: string, { by, json }: By & { readonly json?: true }): Promise<void> {
  const config = readConfig(shell().env)
  const { databaseUrl, dataDir, masterKeys } = config
  if (databaseUrl !== null)
    throw new UserError(
      'This command restores the embedded database. For the one at DATABASE_URL, see docs/runbooks/restore.md.',
    )
  const { file } = chooseKeySource(masterKeys, dataDir)
  // Starting the service would generate a new key, which could not open anything in the backup.
  if (file !== null && !existsSync(file))
    throw new UserError(
      `First put the master key used at the time of the backup into ${file}, or set LAUREL_MASTER_KEY.`,
    )
  const discard = await restoreCluster(resolve(folder), dataDir, config.databaseAccount)
  try {
    // Migrates, because the backup may be from an older version and nothing else uses this database yet.
    await (await openStorage(config, { log: note, migrates: true })).close()
  } catch (error) {
    // Discards the restored database so the command can be repeated, for example with the right master key.
    await discard()
    throw error
  }
  const epoch = await change(by, async (tx, _storage, now) => {
    const result = await beginFeedEpoch(tx, now)
    return { action: 'feed.restored', subject: String(result), result }
  })
  const { differences } = await withStorage(({ db }) => verifyAll(db))
  if (differences.length > 0) shell().exitCode = 1
  if (json) return answerJson({ data_folder: dataDir, epoch, ok: differences.length === 0, differences })
  answer(`The database was restored into ${dataDir}. The feed epoch is ${epoch}.`)
  if (differences.length === 0) answer('The books are correct: no differences.')
  else answer('The books differ. Run `./laurel ledger verify` to see where, and follow docs/runbooks/books-differ.md.')
}
