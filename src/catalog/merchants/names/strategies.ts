import { automaticFrom } from '../scoring/confidence.ts'
import type { ScoredHit } from '../scoring/score-hit.ts'
import { type Hit, type NameSearch, spelledOut } from '../search.ts'
import { companySuffix } from './company-suffix.ts'
import { afterAirport, afterInitials, afterOwner } from './later-name.ts'
import { tillCode } from './till-code.ts'
import { misspelt, truncated } from './truncated.ts'
import { wholeName } from './whole-name.ts'
import { withoutVowels } from './without-vowels.ts'

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
/** Returns true if the result is unsure, or if the words after the whole name may belong to a longer one. */
const whenUnsettled = (best: Best) =>
  whenUnsure(best) || (best?.hit.strategy === 'whole_name' && (best.trailing === 'open' || best.trailing === 'counted'))

/** The strategies in the order they are tried. The docstring of each function shows what it reads. */
export const strategies: readonly Strategy[] = [
  { when: always, find: wholeName },
  { when: (best) => best !== null, find: (search, best) => (best === null ? null : afterInitials(search, best.hit)) },
  { when: whenUnsettled, find: abbreviated, atLeast: automaticFrom },
  { when: whenUnsure, find: withoutVowels },
  { when: (best) => whenUnsure(best) && (best?.trailing ?? 'open') === 'open', find: afterOwner },
  { when: whenUnsettled, find: truncated },
  { when: whenNothingFound, find: companySuffix },
  { when: whenNothingFound, find: tillCode },
  { when: whenNothingFound, find: afterAirport },
  { when: whenNothingFound, find: misspelt },
]

/** `ORVANE MKT`: the whole name with its shortened words expanded. */
function abbreviated(search: NameSearch): Hit | null {
  const tokens = spelledOut(search)
  const hit = tokens === search.tokens ? null : wholeName({ ...search, tokens })
  return hit === null ? null : { ...hit, strategy: 'abbreviated' }
}
