import { resolve } from 'node:path'
import type { Command } from 'commander'
import { readConfig } from '../../src/platform/config/config.ts'
import { backUpCluster, startEmbeddedPostgres } from '../../src/platform/postgres/index.ts'
import { UserError } from '../errors.ts'
import { shell } from '../shell.ts'
import { answer, answerJson, note } from '../terminal.ts'

export function define(command: Command): void {
  command.argument('<folder>', 'the folder to create').action(backup)
}

async function backup(folder: string, { json }: { readonly json?: true }): Promise<void> {
  const { databaseUrl, dataDir, databaseAccount: account } = readConfig(shell().env)
  if (databaseUrl !== null)
    throw new UserError(
      'This command backs up the embedded database. Back up the one at DATABASE_URL with pg_basebackup.',
    )
  const server = await startEmbeddedPostgres({ dataDir, log: note, account, creates: false })
  try {
    await backUpCluster(dataDir, server.url, resolve(folder))
  } finally {
    await server.stop()
  }
  if (json) return answerJson({ folder: resolve(folder) })
  answer(`The database was backed up to ${resolve(folder)}.`)
  note(
    'The master key is not included. Keep a copy elsewhere, because nothing else can open what is sealed in the backup.',
  )
}
