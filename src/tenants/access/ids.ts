import Type from 'typebox'
import { idField, invalidInput } from '../../platform/http/index.ts'
import { decodeId, type PublisherId, type UserId } from '../../platform/ids.ts'
import { Refusal } from '../../platform/refusal.ts'
import { id } from '../../platform/resource/fields.ts'
import type { PublisherRefusal } from '../publishers/index.ts'

export const PublisherParams = Type.Object({ publisher_id: idField('The publisher (pub_…).') })

export function faultAt(field: string, message: string) {
  return invalidInput([{ field, code: 'invalid', message }])
}

/**
 * Parses a publisher ID.
 * @throws Refusal publisher_not_found if the text is not one
 */
export function parsePublisherId(text: string): PublisherId {
  const id = decodeId<'publisher'>('pub', text)
  if (id === null) throw new Refusal<PublisherRefusal>('publisher_not_found', 'There is no such publisher.')
  return id
}

/**
 * Parses a user ID.
 * @throws Problem invalid_input if the text is not one
 */
export function parseUserId(text: string): UserId {
  const id = decodeId<'user'>('usr', text)
  if (id === null) throw faultAt('svc_user_id', 'must be the id of a user (usr_…)')
  return id
}

/** The publisher that a resource belongs to. */
export const PUBLISHER_FIELD = id('pub', { example: 'pub_01kbjyt5v3f4nvj5yq5yfypr9v' })
