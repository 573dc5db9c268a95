import { Refusal } from '../../platform/refusal.ts'
import type { AccountRefusal } from './errors.ts'

// A score of 3 means at least 10^8 guesses, too many over the network, where attempts are limited.
const SCORE_MIN = 3
// Longer passwords take longer to score, so only a prefix is scored. The whole is at least as hard to guess.
const CHECKED_MAX = 64
const SERVICE = 'laurel'

/**
 * Rejects passwords that attackers try first (NIST SP 800-63B-4, section 3.1.1.2): common ones, ones built from the
 * person's or the service's name, and slight variations on either.
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
  // Normalized as it is for hashing, so full-width letters match ordinary ones.
  const checked = password.normalize('NFKC').slice(0, CHECKED_MAX)
  if (checker.check(checked, words).score >= SCORE_MIN) return
  const detail = 'Choose a password that is harder to guess, not a common password, a name or a pattern.'
  throw new Refusal<AccountRefusal>('password_guessable', detail, { field: 'password' })
}

let loaded: ReturnType<typeof load> | null = null

/** Loads the dictionaries when a password is first chosen, because that takes 100 ms and about 30 MB. */
async function load() {
  const [{ ZxcvbnFactory }, { adjacencyGraphs, dictionary }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ])
  return new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs, maxLength: CHECKED_MAX })
}
