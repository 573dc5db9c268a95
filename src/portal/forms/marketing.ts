import type { Database } from '../../platform/db/database.ts'
import { chooseMarketing } from '../../users/users/index.ts'
import { FieldFault } from '../errors.ts'
import { findSentence } from '../pages/marketing.ts'
import { renderYouPage } from '../pages/own.ts'
import type { PortalForms } from '../visit.ts'

/** Returns the form that records consent to marketing email or its withdrawal, with the wording that the user saw. */
export function marketingForms({ db }: { readonly db: Database }): PortalForms {
  return {
    '/you/marketing': {
      page: renderYouPage,
      act: async (visit, body) => {
        const sentence = findSentence(body['sentence'] ?? '', visit)
        if (sentence === null) throw new FieldFault('marketing', 'wording_changed')
        const { publisher, user, now } = visit
        await db.transaction((tx) => chooseMarketing(tx, publisher, user, { ...sentence, via: 'portal' }, now))
        return `/you?done=${sentence.agreed ? 'marketing' : 'noMarketing'}`
      },
    },
  }
}
