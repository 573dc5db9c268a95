import { id, text } from '../../platform/resource/fields.ts'

/** The fields that identify a resource's user. Queries select the publisher's own ID with `selectPublisherUserId`. */
export const USER_FIELDS = {
  publisher_user_id: text({ joined: true, example: 'user-1' }),
  svc_user_id: id('usr', { property: 'userId', example: 'usr_6n8m1v3w9f8x2r5t7y0qzkc4ha' }),
}
