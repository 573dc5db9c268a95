import { createHash } from 'node:crypto'

/** What took the place of something that identified a user. */
const PREFIX = 'erased-'
const HEX_LENGTH = 32

/**
 * What takes the place of a reference of an erased user: the same for the same reference, so that a late report still
 * finds what it is about. The function erased_reference of the database gives the same.
 */
export function erasedReference(salt: Buffer, reference: string): string {
  if (reference.startsWith(PREFIX)) return reference
  return PREFIX + createHash('sha256').update(salt).update(reference).digest('hex').slice(0, HEX_LENGTH)
}
