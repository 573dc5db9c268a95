import { randomFillSync } from 'node:crypto'
import { writeIdSuffix } from '../ids.ts'

// Reading random bytes costs more than the rest of an id, so they are read for many ids at once.
const IDS_AT_ONCE = 256
const ID_BYTES = 16
const TIME_BYTES = 6
const PREFIX = 'req_'

const pool = Buffer.alloc(IDS_AT_ONCE * ID_BYTES)
const text = Buffer.from(PREFIX.padEnd(PREFIX.length + 26, '0'))
let used = pool.length

/**
 * The id of one request: its millisecond and 80 random bits. It appears only in responses and log lines and is never
 * stored, so it needs no UUID, which would take four times as long.
 */
export function newRequestId(): string {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  pool.writeUIntBE(Date.now(), used, TIME_BYTES)
  const end = writeIdSuffix(text, PREFIX.length, pool, used)
  used += ID_BYTES
  return text.toString('latin1', 0, end)
}
