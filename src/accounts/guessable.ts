import { Refusal } from '../platform/refusal.ts'
import type { AccountRefusal } from './errors.ts'

// Guesses are at least 10^8, which an attacker on the network, who is slowed down, does not reach.
const SCORE_MIN = 3
// The work grows with the length. A password that begins with so many characters that are hard to guess is hard to guess.
const CHECKED_MAX = 64
const SERVICE = 'laurel'

/**
 * Refuses a password that whoever guesses tries first (NIST SP 800-63B-4, section 3.1.1.2): a common one, one made of the
 * person's or the service's name, and small changes of these.
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
  // In the form that is hashed, in which the same letters of another width are the same.
  const checked = password.normalize('NFKC').slice(0, CHECKED_MAX)
  if (checker.check(checked, words).score >= SCORE_MIN) return
  const detail = 'Choose a password that is harder to guess: not a common one, a name or a pattern.'
  throw new Refusal<AccountRefusal>('password_guessable', detail, { field: 'password' })
}

let loaded: ReturnType<typeof load> | null = null

/** Its lists take a tenth of a second and some 30 MB, so they are loaded when somebody chooses a password. */
async function load() {
  const [{ ZxcvbnFactory }, { adjacencyGraphs, dictionary }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ])
  return new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs, maxLength: CHECKED_MAX })
}
