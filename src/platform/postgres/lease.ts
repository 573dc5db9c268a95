import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import postgres from 'postgres'
import { findErrorCode } from './errors.ts'

/**
 * A process's claim on the server: a shared advisory lock on a dedicated connection. The last process to release it may
 * shut the server down. When a process is killed, its connection ends, which releases the lock.
 */
export type Lease = {
  readonly version: string
  /** Releases the lease. Returns true if no other process holds or can take one, so the server may be shut down. */
  giveUp(): Promise<boolean>
  /** Closes the connection, which releases the lease. */
  close(): Promise<void>
}

// An arbitrary constant. The lock is taken in the database `postgres`, which Laurel uses for nothing else.
const LEASE = 7_265_002
// A server that is starting or stopping responds with 57P01 to 57P03. A server that has stopped causes a system error
// (EPIPE) or a driver error (CONNECTION_CLOSED), depending on timing.
const TRANSIENT = /^(57P0[123]|E[A-Z]+|CONNECT(ION)?_[A-Z]+)$/

/** Connects and takes the lease; null if the server is starting or stopping and the caller should try again. */
export async function takeLease(url: string): Promise<Lease | null> {
  const { sql, socket } = connectOnce(url)
  try {
    const [row] = await sql`
      select pg_try_advisory_lock_shared(${LEASE}) as taken, current_setting('server_version') as version`
    if (row?.['taken'] === true) {
      // The lease does not keep the process alive. A process with nothing else to do can exit, which releases the
      // lease.
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
    if (!TRANSIENT.test(findErrorCode(error) ?? '')) {
      await sql.end({ timeout: 0 })
      throw error
    }
  }
  await sql.end({ timeout: 0 })
  return null
}

/** True if a server responds and accepts the password. Does not take a lease. */
export async function isAnswering(url: string): Promise<boolean> {
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
    // Between the two statements, another process was the last to leave and is now shutting the server down.
    if (TRANSIENT.test(findErrorCode(error) ?? '')) return true
    throw error
  }
}

function connectOnce(url: string): { sql: postgres.Sql; socket: () => Socket | null } {
  let socket: Socket | null = null
  const options = {
    // A single connection that is never replaced, because the lock is tied to it.
    max: 1,
    idle_timeout: 0,
    max_lifetime: null,
    connect_timeout: 10,
    // The driver would fetch array types in the background, and if the server stopped meanwhile, no caller could catch
    // the error.
    fetch_types: false,
    onnotice: () => undefined,
    connection: { application_name: 'laurel lease' },
    // The driver accepts a socket, although its types omit this option.
    socket: async () => {
      const { hostname, port } = new URL(url)
      socket = connect(Number(port), hostname)
      await once(socket, 'connect')
      return socket
    },
  }
  return { sql: postgres(url, options), socket: () => socket }
}
