import { systemClock } from '../src/platform/clock.ts'
import { readConfig } from '../src/platform/config/config.ts'
import type { Tx } from '../src/platform/db/database.ts'
import { openStorage, type Storage } from '../src/storage.ts'
import { type Actor, audit } from '../src/tenants/accounts/index.ts'
import { getActor } from './actor.ts'
import { shell } from './shell.ts'

export type { Storage }

/**
 * Runs a read-only command on the configured database, whether or not a service is running. Its transactions are
 * read-only. Commands that make changes are defined with `defineChange`, which offers `--by`, and use `changeAs`,
 * `change` or `withChanges`, which write an audit entry.
 */
export async function withStorage<T>(work: (storage: Storage) => Promise<T>): Promise<T> {
  return withOpenStorage((storage) => work({ ...storage, db: { ...storage.db, transaction: storage.db.snapshot } }))
}

/** The audit entry of a change. It never contains a secret. */
type Entry = Omit<Parameters<typeof audit>[1], 'actor'>

/** Makes a change and writes its audit entry in the same transaction. */
export async function change<T>(
  by: string | undefined,
  work: (tx: Tx, storage: Storage, now: Date) => Promise<Entry & { readonly result: T }>,
): Promise<T> {
  return withOpenStorage((storage) =>
    storage.db.transaction(async (tx) => {
      const now = systemClock.now()
      const { result, ...entry } = await work(tx, storage, now)
      await audit(tx, { actor: getActor(by), ...entry }, now)
      return result
    }),
  )
}

/**
 * Runs work that needs several transactions. The first one to commit also writes the audit entry.
 * @param entry null if the work writes its own entries, using the actor passed to it
 */
export async function withChanges<T>(
  by: string | undefined,
  entry: Entry | null,
  work: (storage: Storage, actor: Actor) => Promise<T>,
): Promise<T> {
  const actor = getActor(by)
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

/** Makes a change in one transaction, through a verb that writes its own audit entry. */
export function changeAs<T>(
  by: string | undefined,
  work: (tx: Tx, given: Storage & { readonly actor: Actor; readonly now: Date }) => Promise<T>,
): Promise<T> {
  return withChanges(by, null, (storage, actor) =>
    storage.db.transaction((tx) => work(tx, { ...storage, actor, now: systemClock.now() })),
  )
}

async function withOpenStorage<T>(work: (storage: Storage) => Promise<T>): Promise<T> {
  const storage = await openStorage(readConfig(shell().env))
  try {
    return await work(storage)
  } finally {
    await storage.close()
  }
}
