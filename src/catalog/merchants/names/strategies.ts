import { automaticFrom } from '../scoring/confidence.ts'
import type { ScoredHit } from '../scoring/score-hit.ts'
import { type Hit, type NameSearch, spellOut } from '../search.ts'
import { findCompanySuffix } from './company-suffix.ts'
import { findAfterAirport, findAfterInitials, findAfterOwner } from './later-name.ts'
import { findTillCode } from './till-code.ts'
import { findMisspelt, findTruncated } from './truncated.ts'
import { findWholeName } from './whole-name.ts'
import { findWithoutVowels } from './without-vowels.ts'

type Best = ScoredHit | null

type Strategy = {
  /** Returns true if the strategy should run, given the best result so far. */
  readonly when: (best: Best) => boolean
  readonly find: (search: NameSearch, best: Best) => Hit | null
  /** The score below which its result is not even proposed. */
  readonly atLeast?: number
}

const always = () => true
const whenNothingFound = (best: Best) => best === null
const whenUnsure = (best: Best) => best === null || best.score < automaticFrom
/** Returns true if the result is uncertain, or if the words after the whole name may belong to a longer one. */
const whenUnsettled = (best: Best) =>
  whenUnsure(best) || (best?.hit.strategy === 'whole_name' && (best.trailing === 'open' || best.trailing === 'counted'))

/** The strategies in the order they are tried. Each function's doc comment shows what it reads. */
export const strategies: readonly Strategy[] = [
  { when: always, find: findWholeName },
  {
    when: (best) => best !== null,
    find: (search, best) => (best === null ? null : findAfterInitials(search, best.hit)),
  },
  { when: whenUnsettled, find: abbreviated, atLeast: automaticFrom },
  { when: whenUnsure, find: findWithoutVowels },
  { when: (best) => whenUnsure(best) && (best?.trailing ?? 'open') === 'open', find: findAfterOwner },
  { when: whenUnsettled, find: findTruncated },
  { when: whenNothingFound, find: findCompanySuffix },
  { when: whenNothingFound, find: findTillCode },
  { when: whenNothingFound, find: findAfterAirport },
  { when: whenNothingFound, find: findMisspelt },
]

/** Finds a whole name after expanding its abbreviated words (`ORVANE MKT`). */
function abbreviated(search: NameSearch): Hit | null {
  const tokens = spellOut(search)
  const hit = tokens === search.tokens ? null : findWholeName({ ...search, tokens })
  return hit === null ? null : { ...hit, strategy: 'abbreviated' }
}
