import { createHash } from 'node:crypto'

/** Marks a value that replaces an identifier of an erased user. */
const PREFIX = 'erased-'
const HEX_LENGTH = 32

/**
 * Returns the replacement for an erased user's reference. Equal references have equal replacements, so a late report
 * can still be matched. Must match the database function `erased_reference`.
 */
export function eraseReference(salt: Buffer, reference: string): string {
  if (reference.startsWith(PREFIX)) return reference
  return PREFIX + createHash('sha256').update(salt).update(reference).digest('hex').slice(0, HEX_LENGTH)
}
