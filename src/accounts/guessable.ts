import { Refusal } from '../platform/refusal.ts'
import type { AccountRefusal } from './errors.ts'

// At least 10^8 guesses, which an attacker over the network cannot make, because attempts are limited.
const SCORE_MIN = 3
// The work grows with the length, and a password is at least as hard to guess as its beginning.
const CHECKED_MAX = 64
const SERVICE = 'laurel'

/**
 * Refuses a password that attackers try first (NIST SP 800-63B-4, section 3.1.1.2): a common one, one made of the name
 * of the person or the service, or a slight variation of these.
 * @throws Refusal password_guessable
 */
export async function refuseGuessable(
  password: string,
  { name, email }: { readonly name: string; readonly email: string },
): Promise<void> {
  loaded ??= load()
  const checker = await loaded
  const words = [SERVICE, name, email, ...email.split('@')].flatMap((text) => {
    const parts = text.split(/[^\p{L}\p{N}]+/u).filter((part) => part !== '')
    return [text, ...parts, parts.join('')]
  })
  // Normalized as for hashing, where full-width letters equal ordinary ones.
  const checked = password.normalize('NFKC').slice(0, CHECKED_MAX)
  if (checker.check(checked, words).score >= SCORE_MIN) return
  const detail = 'Choose a password that is harder to guess: not a common one, a name or a pattern.'
  throw new Refusal<AccountRefusal>('password_guessable', detail, { field: 'password' })
}

let loaded: ReturnType<typeof load> | null = null

/** The dictionaries take a tenth of a second and some 30 MB, so they are loaded when a password is first chosen. */
async function load() {
  const [{ ZxcvbnFactory }, { adjacencyGraphs, dictionary }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ])
  return new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs, maxLength: CHECKED_MAX })
}
