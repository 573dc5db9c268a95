import type { Command } from 'commander'
import { isDay, startOfDay } from '../src/platform/calendar.ts'
import { systemClock } from '../src/platform/clock.ts'
import { parseRange } from '../src/platform/http/callers/caller-address.ts'
import type { KeyLimits } from '../src/platform/http/callers/key-limits.ts'
import { usage } from './options.ts'

/** The options that limit a new key. */
export type LimitOptions = { readonly expires?: Date; readonly from?: readonly string[] }

const RANGES_MAX = 50

export function withLimits(command: Command): Command {
  return command
    .option(
      '--expires <date>',
      'the first day on which it no longer works, yyyy-MM-dd (UTC); default: never',
      readExpiry,
    )
    .option('--from <range...>', 'addresses or CIDR ranges from which it works, such as 203.0.113.0/24; default: all')
}

export function readLimits({ expires, from = [] }: LimitOptions): KeyLimits {
  const addressRanges = from.flatMap((list) => list.split(',')).map(readRange)
  if (addressRanges.length > RANGES_MAX) throw usage(`--from takes at most ${RANGES_MAX} ranges.`)
  return { expiresAt: expires ?? null, addressRanges }
}

function readExpiry(text: string): Date {
  if (!isDay(text)) throw usage(`--expires must be a day, such as 2027-01-31, not "${text}".`)
  const expiry = startOfDay(text, 'UTC')
  if (expiry <= systemClock.now()) throw usage(`--expires must be a future day; ${text} has already begun.`)
  return expiry
}

function readRange(text: string): string {
  const range = parseRange(text)
  if (range === null) throw usage(`--from must be an address or a CIDR range, such as 203.0.113.0/24, not "${text}".`)
  return range
}
