import { getItemByToken, moveItemClock } from '../items.ts'
import type { App } from '../provider/door.ts'
import type { World } from '../world.ts'
import { ClockSetting, ItemClockSetting } from './schema.ts'

export function clockControls(app: App, world: World): void {
  const present = () => ({ offset_seconds: world.state.clockOffsetSeconds, now: world.now().toISOString() })
  app.get('/_sim/clock', async () => present())
  app.post('/_sim/clock', { schema: { body: ClockSetting } }, async ({ body }) => {
    world.state.clockOffsetSeconds = body.offset_seconds
    world.changed()
    return present()
  })
  // Takes a token instead of an id because clients call this route, and they identify items by token.
  app.post('/_sim/item-clock', { schema: { body: ItemClockSetting } }, async ({ body }) => {
    const item = getItemByToken(world, body.access_token)
    moveItemClock(world, item, body.offset_seconds)
    return { item_id: item.itemId, offset_seconds: body.offset_seconds, now: world.getNow(item).toISOString() }
  })
}
