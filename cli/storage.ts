import { audit } from '../src/accounts/index.ts'
import { systemClock } from '../src/platform/clock.ts'
import { readConfig } from '../src/platform/config.ts'
import type { Tx } from '../src/platform/database.ts'
import { openStorage, type Storage } from '../src/storage.ts'
import { actorHere } from './actor.ts'
import { shell } from './shell.ts'

export type { Storage }

/**
 * Runs the work of a command that only reads, on the database that the settings name, beside a running service or
 * without one. Its transactions are read-only: what changes something goes through `change` or `withChanges`, which
 * leave an audit entry, and is offered with `withBy`.
 */
export async function withStorage<T>(work: (storage: Storage) => Promise<T>): Promise<T> {
  return withOpenStorage((storage) => work({ ...storage, db: { ...storage.db, transaction: storage.db.snapshot } }))
}

/** What the audit log records of a change; never a secret. */
type Entry = Omit<Parameters<typeof audit>[1], 'actor'>

/** Makes a change in one transaction, which also holds its audit entry. */
export async function change<T>(
  by: string | undefined,
  work: (tx: Tx, storage: Storage, now: Date) => Promise<Entry & { readonly result: T }>,
): Promise<T> {
  return withOpenStorage((storage) =>
    storage.db.transaction(async (tx) => {
      const now = systemClock.now()
      const { result, ...entry } = await work(tx, storage, now)
      await audit(tx, { actor: actorHere(by), ...entry }, now)
      return result
    }),
  )
}

/**
 * Runs work of several transactions, the first of which also holds its audit entry.
 * @param entry null for work whose verbs write entries of their own, by the actor that it gets.
 */
export async function withChanges<T>(
  by: string | undefined,
  entry: Entry | null,
  work: (storage: Storage, actor: ReturnType<typeof actorHere>) => Promise<T>,
): Promise<T> {
  const actor = actorHere(by)
  return withOpenStorage((storage) => {
    let isWritten = entry === null
    const transaction = async <R>(steps: (tx: Tx) => Promise<R>): Promise<R> => {
      const result = await storage.db.transaction(async (tx) => {
        const done = await steps(tx)
        if (!isWritten && entry !== null) await audit(tx, { actor, ...entry }, systemClock.now())
        return done
      })
      isWritten = true
      return result
    }
    return work({ ...storage, db: { ...storage.db, transaction } }, actor)
  })
}

async function withOpenStorage<T>(work: (storage: Storage) => Promise<T>): Promise<T> {
  const storage = await openStorage(readConfig(shell().env))
  try {
    return await work(storage)
  } finally {
    await storage.close()
  }
}
