import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import postgres from 'postgres'
import { codeOf } from './errors.ts'

/**
 * A process's word that it uses the server: a shared advisory lock on a connection kept for it. The last one to let
 * go may shut the server down, and a process that is killed lets go by its connection's end.
 */
export type Lease = {
  readonly version: string
  /** Lets go; true when nobody else holds on, and from then on nobody new can, so the server may be shut down. */
  giveUp(): Promise<boolean>
  /** Closes the connection, and with it lets go of all. */
  close(): Promise<void>
}

// Any constant will do. The lock lives in the database `postgres`, which Laurel uses for nothing else.
const LEASE = 7_265_002
// A server that is starting or stopping says 57P01 to 57P03; one that is gone leaves an error of the system (EPIPE) or
// of the driver (CONNECTION_CLOSED), depending on the moment.
const PASSING = /^(57P0[123]|E[A-Z]+|CONNECT(ION)?_[A-Z]+)$/

/** Connects and takes the lease. Null: the server is starting or stopping, so look again. */
export async function takeLease(url: string): Promise<Lease | null> {
  const { sql, socket } = connectOnce(url)
  try {
    const [row] = await sql`
      select pg_try_advisory_lock_shared(${LEASE}) as taken, current_setting('server_version') as version`
    if (row?.['taken'] === true) {
      // Holding on is no work: a process that has nothing else to do may end, and so lets go.
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
    if (!PASSING.test(codeOf(error) ?? '')) {
      await sql.end({ timeout: 0 })
      throw error
    }
  }
  await sql.end({ timeout: 0 })
  return null
}

/** Whether a server answers there, and to this password. Never takes part in its life. */
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
    // Between the two statements another process found itself alone and is shutting the server down.
    if (PASSING.test(codeOf(error) ?? '')) return true
    throw error
  }
}

function connectOnce(url: string): { sql: postgres.Sql; socket: () => Socket | null } {
  let socket: Socket | null = null
  const options = {
    // One connection that is never exchanged for a fresh one, since the lock is bound to it.
    max: 1,
    idle_timeout: 0,
    max_lifetime: null,
    connect_timeout: 10,
    // The driver asks for the array types on its own, and where the server goes away meanwhile, nobody could catch it.
    fetch_types: false,
    onnotice: () => undefined,
    connection: { application_name: 'laurel lease' },
    // The driver takes a socket of ours, though its types leave that out.
    socket: async () => {
      const { hostname, port } = new URL(url)
      socket = connect(Number(port), hostname)
      await once(socket, 'connect')
      return socket
    },
  }
  return { sql: postgres(url, options), socket: () => socket }
}
