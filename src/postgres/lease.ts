import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import postgres from 'postgres'
import { codeOf } from './errors.ts'

/**
 * A process's claim that it uses the server: a shared advisory lock on a connection of its own. The last process to
 * release it may shut the server down; a killed process releases it when its connection ends.
 */
export type Lease = {
  readonly version: string
  /** Releases the lease. True when no other process holds one or can take one, so the server may be shut down. */
  giveUp(): Promise<boolean>
  /** Closes the connection, which releases the lease. */
  close(): Promise<void>
}

// An arbitrary constant. The lock is in the database `postgres`, which Laurel uses for nothing else.
const LEASE = 7_265_002
// A server that is starting or stopping answers 57P01 to 57P03; one that is gone causes an error of the system (EPIPE)
// or of the driver (CONNECTION_CLOSED), depending on the moment.
const TRANSIENT = /^(57P0[123]|E[A-Z]+|CONNECT(ION)?_[A-Z]+)$/

/** Connects and takes the lease. Null: the server is starting or stopping, so try again. */
export async function takeLease(url: string): Promise<Lease | null> {
  const { sql, socket } = connectOnce(url)
  try {
    const [row] = await sql`
      select pg_try_advisory_lock_shared(${LEASE}) as taken, current_setting('server_version') as version`
    if (row?.['taken'] === true) {
      // The lease keeps no process alive: one that has nothing else to do may end, which releases it.
      socket()?.unref()
      return {
        version: row['version'],
        giveUp: () => {
          socket()?.ref()
          return giveUp(sql)
        },
        close: () => sql.end({ timeout: 1 }),
      }
    }
  } catch (error) {
    if (!TRANSIENT.test(codeOf(error) ?? '')) {
      await sql.end({ timeout: 0 })
      throw error
    }
  }
  await sql.end({ timeout: 0 })
  return null
}

/** Whether a server answers there and accepts the password. Takes no lease. */
export async function answers(url: string): Promise<boolean> {
  const { sql } = connectOnce(url)
  try {
    await sql`select 1`
    return true
  } catch {
    return false
  } finally {
    await sql.end({ timeout: 0 })
  }
}

async function giveUp(sql: postgres.Sql): Promise<boolean> {
  try {
    await sql`select pg_advisory_unlock_shared(${LEASE})`
    const [row] = await sql`select pg_try_advisory_lock(${LEASE}) as alone`
    return row?.['alone'] === true
  } catch (error) {
    // Between the two statements another process was the last one and is shutting the server down.
    if (TRANSIENT.test(codeOf(error) ?? '')) return true
    throw error
  }
}

function connectOnce(url: string): { sql: postgres.Sql; socket: () => Socket | null } {
  let socket: Socket | null = null
  const options = {
    // One connection that is never replaced, since the lock is bound to it.
    max: 1,
    idle_timeout: 0,
    max_lifetime: null,
    connect_timeout: 10,
    // The driver fetches array types by itself; if the server goes away meanwhile, no caller could catch the error.
    fetch_types: false,
    onnotice: () => undefined,
    connection: { application_name: 'laurel lease' },
    // The driver accepts a socket, though its types leave that out.
    socket: async () => {
      const { hostname, port } = new URL(url)
      socket = connect(Number(port), hostname)
      await once(socket, 'connect')
      return socket
    },
  }
  return { sql: postgres(url, options), socket: () => socket }
}
