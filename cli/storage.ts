import { readConfig } from '../src/platform/config.ts'
import { openStorage, type Storage } from '../src/storage.ts'
import { shell } from './shell.ts'

export type { Storage }

/** Runs a command's work on the database that the settings name, beside a running service or without one. */
export async function withStorage<T>(work: (storage: Storage) => Promise<T>): Promise<T> {
  const storage = await openStorage(readConfig(shell().env))
  try {
    return await work(storage)
  } finally {
    await storage.close()
  }
}
