import { ControlError } from '../errors.ts'
import type { App } from '../provider/door.ts'
import type { World } from '../world.ts'
import { FaultBody, FaultPath, LimitsBody, ReplayBody, WebhooksBody } from './chaos-schema.ts'

/** Registers the controls that make the provider misbehave: failing calls, rate limits and stray webhooks. */
export function chaosControls(app: App, world: World): void {
  faultControls(app, world)
  callControls(app, world)
  webhookControls(app, world)
}

function faultControls(app: App, { faults }: World): void {
  app.post('/_sim/faults', { schema: { body: FaultBody } }, async ({ body }) => {
    for (const [kind, field] of [
      ['error', 'error_code'],
      ['latency', 'ms'],
    ] as const) {
      if (body.kind !== kind || body[field] !== undefined) continue
      throw new ControlError(400, 'MISSING_FIELDS', `A fault of the kind "${kind}" needs the field ${field}.`)
    }
    return faults.add(body)
  })
  app.get('/_sim/faults', async () => ({ faults: faults.list() }))
  app.delete('/_sim/faults', async () => {
    faults.clear()
    return { faults: [] }
  })
  app.delete('/_sim/faults/:fault_id', { schema: { params: FaultPath } }, async ({ params }) => {
    if (faults.remove(params.fault_id)) return {}
    throw new ControlError(
      404,
      'FAULT_NOT_FOUND',
      'There is no such fault; a fault is gone once it has struck as often as requested.',
    )
  })
}

function callControls(app: App, { limits }: World): void {
  const counts = () => {
    const { calls, refused, most_per_minute } = limits.status()
    return { calls, refused, most_per_minute }
  }
  const setting = () => {
    const { enforced, scale } = limits.status()
    return { enforced, scale }
  }
  app.get('/_sim/calls', async () => counts())
  app.delete('/_sim/calls', async () => {
    limits.forget()
    return counts()
  })
  app.get('/_sim/limits', async () => setting())
  app.post('/_sim/limits', { schema: { body: LimitsBody } }, async ({ body }) => {
    limits.set({ scale: 1, ...body })
    return setting()
  })
}

function webhookControls(app: App, { webhooks }: World): void {
  app.get('/_sim/webhooks', async () => webhooks.status())
  app.post('/_sim/webhooks', { schema: { body: WebhooksBody } }, async ({ body }) => {
    webhooks.setFaults(body)
    return webhooks.status()
  })
  app.delete('/_sim/webhooks', async () => {
    webhooks.setFaults({})
    return webhooks.status()
  })
  app.post('/_sim/webhooks/replay', { schema: { body: ReplayBody } }, async ({ body }) => ({
    sent: webhooks.replay(body),
  }))
}
