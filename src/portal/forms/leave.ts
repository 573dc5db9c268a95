import { requestErasure } from '../../data/erasure/index.ts'
import type { Database } from '../../platform/db/database.ts'
import { FieldFault } from '../errors.ts'
import { renderLeavePage } from '../pages/leave.ts'
import type { PortalForms } from '../visit.ts'

/** Returns the form that deletes the user's account once they type the confirmation word. */
export function leaveForms({ db }: { readonly db: Database }): PortalForms {
  return {
    '/you/delete': {
      page: renderLeavePage,
      act: async ({ publisher, user, words, now }, body) => {
        if ((body['confirm'] ?? '').trim().toLowerCase() !== words.leave.word)
          throw new FieldFault('confirm', 'not_typed')
        const { publisherUserId } = user
        const asked = { publisherUserId, confirm: publisherUserId, by: 'portal' }
        await db.transaction((tx) => requestErasure(tx, publisher, asked, now))
        return '/deleted'
      },
    },
  }
}
