import { systemClock } from '../../src/platform/clock.ts'
import { LINKS_HOLD } from '../banner.ts'
import { createPortalLink } from '../portal-link.ts'
import { createFirstAdmin } from '../sandbox.ts'
import type { Shopper, Stage } from './stage.ts'

type Place = {
  readonly label: string
  readonly url: string
  /** The lifetime of the link; null if the page requires a password. */
  readonly holds: string | null
}

/** Returns the pages that show the story, in the operating company's console and in the user's portal. */
export async function listPlaces(stage: Stage, { name }: Shopper): Promise<Place[]> {
  const enterToken = await createFirstAdmin(stage.db, systemClock.now())
  const portal = await createPortalLink(stage.url, stage.apiKey, name)
  const url = `${stage.url}/console`
  const console: Place =
    enterToken === null
      ? { label: 'Console', url, holds: null }
      : { label: 'Console', url: `${url}/enter#${enterToken}`, holds: LINKS_HOLD.console }
  return [console, ...(portal === null ? [] : [{ label: 'Portal', url: portal, holds: LINKS_HOLD.portal }])]
}

/**
 * States how long the links stay valid: "Each link signs in once: Console within 24 hours." Null if every page requires
 * a password.
 */
export function describeDurations(places: readonly Place[]): string | null {
  const durations = places.flatMap(({ label, holds }) => (holds === null ? [] : [`${label} within ${holds}`]))
  return durations.length === 0 ? null : `Each link signs in once: ${durations.join(', ')}.`
}
