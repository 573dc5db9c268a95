import type { Command } from 'commander'
import { readConfig } from '../../src/platform/config/config.ts'
import { openStorage } from '../../src/storage.ts'
import { shell } from '../shell.ts'
import { note } from '../terminal.ts'

export function define(command: Command): void {
  command.action(migrate)
}

async function migrate(): Promise<void> {
  const storage = await openStorage(readConfig(shell().env), { log: note, migrates: true })
  await storage.close()
  note('The database has every migration of this version.')
}
