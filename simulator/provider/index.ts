import { ProviderError } from '../errors.ts'
import type { World } from '../world.ts'
import { type App, openDoor, presentError } from './door.ts'
import { itemRoutes } from './item-routes.ts'
import { linkRoutes } from './link-routes.ts'
import { sandboxRoutes } from './sandbox-routes.ts'
import { transactionRoutes } from './transaction-routes.ts'

/** Registers the provider's own namespace: only paths, fields and errors that the real provider has. */
export async function provider(app: App, world: World): Promise<void> {
  openDoor(app, world)
  linkRoutes(app, world)
  itemRoutes(app, world)
  transactionRoutes(app, world)
  sandboxRoutes(app, world)
}

export function unknownPath(requestId: string) {
  return presentError(new ProviderError('NOT_FOUND', 'this path does not exist here'), requestId)
}
