import { type ComposeUserMail, composeMail, sendUserMails } from '../accounts/index.ts'
import { getPublisher } from '../publishers/index.ts'
import { nameOf } from './schema.ts'
import { portalOf } from './service.ts'
import { isLanguage, WORDS } from './words/words.ts'

type Deps = Parameters<typeof sendUserMails>[0]

// Where each mail leads, below the portal.
const PATHS = { sign_up: '/you/sign-in', reset: '/reset', changed: '/reset' } as const

/** Sends what lets users sign in at their publisher's portal, in its name and in their language. */
export function sendPortalMails(deps: Deps): Promise<boolean> {
  const compose: ComposeUserMail = async ({ publisherId, kind, email, language }, secret) => {
    const publisher = await getPublisher(deps.db.reader, publisherId)
    const portal = await portalOf(deps.db.reader, publisher)
    if (!portal.allowsAccounts) return null
    const words = WORDS[isLanguage(language) ? language : 'en'].mails[kind](nameOf(publisher, portal), secret ?? '')
    const end = kind === 'reset' ? `/${secret}` : ''
    return composeMail(words, email, `${deps.baseUrl}/portal/${portal.slug}${PATHS[kind]}${end}`)
  }
  return sendUserMails(deps, compose)
}
