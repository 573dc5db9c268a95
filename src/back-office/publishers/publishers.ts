import type { Tx } from '../../platform/db/database.ts'
import { encodeId, type PublisherId } from '../../platform/ids.ts'
import { Refusal } from '../../platform/refusal.ts'
import { isServed, PRODUCTION_SETTINGS } from '../../purchases/linker/index.ts'
import { createApiKey } from '../../tenants/access/index.ts'
import { type Actor, audit } from '../../tenants/accounts/index.ts'
import {
  addCurrency,
  allowAndroidPackage,
  allowRedirectUri,
  changeSettings,
  disallow,
  getPublisher,
  lockPublisher,
  PUBLISHER,
  type Publisher,
  type PublisherRefusal,
  resolveCurrency,
} from '../../tenants/publishers/index.ts'
import { openPublisher } from '../../users/terms/index.ts'
import { parseLimits, parseSettings, refuseStaleSettings } from './schema.ts'

// Operators' actions on publishers and their keys, each of which writes an audit log entry.

type NewPublisher = Parameters<typeof openPublisher>[1] & { readonly linksCards?: boolean }
/** The linking provider configured for each environment; null if there is none. */
type Linkers = Parameters<typeof isServed>[1]

/** @throws Refusal setting_invalid, also for a publisher whose users could not link cards */
export async function createPublisherAs(
  tx: Tx,
  input: NewPublisher,
  { linkers, by }: { readonly linkers: Linkers; readonly by: Actor },
  now: Date,
): Promise<Publisher> {
  const publisher = await openServed(tx, input, linkers, now)
  const after = PUBLISHER.present(publisher)
  await audit(tx, { actor: by, action: 'publisher.created', subject: after.publisher_id, after }, now)
  return publisher
}

/**
 * Creates a publisher and its first key, which has all scopes. Both share one audit log entry.
 * @throws Refusal setting_invalid
 */
export async function createPublisherWithKeyAs(
  tx: Tx,
  input: NewPublisher,
  { linkers, by }: { readonly linkers: Linkers; readonly by: Actor },
  now: Date,
) {
  const publisher = await openServed(tx, input, linkers, now)
  const key = await createApiKey(tx, publisher, null, now)
  const after = { ...PUBLISHER.present(publisher), key_id: encodeId('key', key.keyId) }
  await audit(tx, { actor: by, action: 'publisher.created', subject: after.publisher_id, after }, now)
  return { publisher, key }
}

async function openServed(
  tx: Tx,
  { linksCards, ...input }: NewPublisher,
  linkers: Linkers,
  now: Date,
): Promise<Publisher> {
  const opened = await openPublisher(tx, input, now)
  const publisher = linksCards === undefined ? opened : await changeSettings(tx, opened.id, { linksCards })
  refuseUnserved(publisher, linkers, 'environment')
  return publisher
}

/** Rejects a publisher whose users could not link cards, because the service does not start with such a publisher. */
function refuseUnserved(publisher: Publisher, linkers: Linkers, field: string): void {
  if (isServed(publisher, linkers)) return
  throw new Refusal<PublisherRefusal>(
    'setting_invalid',
    `Users of a production publisher can link cards only if the service has ${PRODUCTION_SETTINGS}. For a ` +
      'publisher whose users link no cards, set links_cards to false.',
    { field },
  )
}

/** @throws Refusal publisher_not_found, setting_invalid, changed_meanwhile, currency_unknown; Problem invalid_input */
export async function changePublisherAs(
  tx: Tx,
  publisherId: PublisherId,
  body: Parameters<typeof parseSettings>[0],
  { linkers, by }: { readonly linkers: Linkers; readonly by: Actor },
  now: Date,
): Promise<Publisher> {
  const { expected, ...changes } = body
  const planChanges = (former: Publisher) => {
    if (expected !== undefined) refuseStaleSettings(former, expected)
    const currency = resolveCurrency(former, changes.limits?.currency, 'limits.currency')
    return { settings: { ...parseSettings(changes), ...parseLimits(changes, currency) }, currency }
  }
  return changeSettingsAs(tx, publisherId, planChanges, { linkers, by }, now)
}

type SettingChanges = { readonly settings: Parameters<typeof changeSettings>[2]; readonly currency: string }

/** @throws Refusal publisher_not_found, setting_invalid */
export async function changeSettingsAs(
  tx: Tx,
  publisherId: PublisherId,
  planChanges: (former: Publisher) => SettingChanges,
  { linkers, by }: { readonly linkers: Linkers; readonly by: Actor },
  now: Date,
): Promise<Publisher> {
  // Takes the lock first, so that concurrent changes to the publisher wait and then see this one.
  await lockPublisher(tx, publisherId)
  const former = await getPublisher(tx, publisherId)
  const { settings, currency } = planChanges(former)
  const publisher = await changeSettings(tx, publisherId, settings, currency)
  // A publisher whose users could not link cards before can still change its other settings.
  if (isServed(former, linkers)) refuseUnserved(publisher, linkers, 'links_cards')
  const states = changedMembers(PUBLISHER.present(former), PUBLISHER.present(publisher))
  // Nothing changed, so there is nothing to record in the audit log.
  if (Object.keys(states.after).length === 0) return publisher
  await audit(tx, { actor: by, action: 'publisher.changed', subject: encodeId('pub', publisherId), ...states }, now)
  return publisher
}

function changedMembers(before: object, after: object): { readonly before: object; readonly after: object } {
  const texts = new Map(Object.entries(after).map(([name, value]) => [name, JSON.stringify(value)]))
  const only = (state: object) =>
    Object.fromEntries(
      Object.entries(state).filter(
        ([name]) => JSON.stringify((before as Record<string, unknown>)[name]) !== texts.get(name),
      ),
    )
  return { before: only(before), after: only(after) }
}

/** @throws Refusal publisher_not_found, setting_invalid */
export async function addCurrencyAs(
  tx: Tx,
  publisherId: PublisherId,
  currency: string,
  by: Actor,
  now: Date,
): Promise<Publisher> {
  const publisher = await addCurrency(tx, publisherId, currency, now)
  const subject = encodeId('pub', publisherId)
  await audit(tx, { actor: by, action: 'publisher.currency_added', subject, after: { currency } }, now)
  return publisher
}

/**
 * Allows the link flow to return to this address.
 * @throws Refusal publisher_not_found, setting_invalid
 */
export async function allowAs(
  tx: Tx,
  publisherId: PublisherId,
  asked: { readonly redirectUri: string } | { readonly androidPackage: string },
  by: Actor,
  now: Date,
): Promise<void> {
  const subject = encodeId('pub', publisherId)
  if ('redirectUri' in asked) await allowRedirectUri(tx, publisherId, asked.redirectUri, now)
  else await allowAndroidPackage(tx, publisherId, asked.androidPackage, now)
  const after = 'redirectUri' in asked ? { redirect_uri: asked.redirectUri } : { android_package: asked.androidPackage }
  await audit(tx, { actor: by, action: 'return_address.allowed', subject, after }, now)
}

/** @throws Refusal publisher_not_found, not_on_list */
export async function disallowAs(tx: Tx, publisherId: PublisherId, value: string, by: Actor, now: Date): Promise<void> {
  const before = { [await disallow(tx, publisherId, value)]: value }
  const subject = encodeId('pub', publisherId)
  await audit(tx, { actor: by, action: 'return_address.removed', subject, before }, now)
}
