import { decodeId, type PublisherId } from '../platform/ids.ts'
import { Refusal } from '../platform/refusal.ts'
import type { PublisherRefusal } from '../publishers/index.ts'

/** @throws Refusal publisher_not_found for a text that is no id of a publisher. */
export function publisherIdIn(text: string): PublisherId {
  const id = decodeId<'publisher'>('pub', text)
  if (id === null) throw new Refusal<PublisherRefusal>('publisher_not_found', 'There is no such publisher.')
  return id
}
