import { systemClock } from '../../src/platform/clock.ts'
import { portalLink } from '../portal-link.ts'
import { firstAdmin } from '../sandbox.ts'
import type { Shopper, Stage } from './stage.ts'

/** Where the story can be looked at: as the operating company sees it, and as the user does. */
export async function placesOf(stage: Stage, { name }: Shopper): Promise<[label: string, url: string][]> {
  const enterToken = await firstAdmin(stage.db, systemClock.now())
  const portal = await portalLink(stage.url, stage.apiKey, name)
  const console = enterToken === null ? `${stage.url}/console` : `${stage.url}/console/enter#${enterToken}`
  return [['Console', console], ...(portal === null ? [] : [['Portal', portal] satisfies [string, string]])]
}
