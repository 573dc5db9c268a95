import { html } from '../../platform/text/html.ts'
import { listChoices } from '../../users/users/index.ts'
import type { PageDeps, PortalPage, UserVisit, Visit } from '../visit.ts'
import { renderFormFault } from './fields.ts'
import { renderMarketingPanel } from './marketing.ts'
import { linkList } from './terms.ts'

/** Renders the user's data and choices. */
export async function renderYouPage(visit: UserVisit, { db }: PageDeps): Promise<PortalPage> {
  const { publisher, user, words, base, status } = visit
  const { you } = words
  const choices = await listChoices(db.reader, publisher.id, user.userId)
  const links = [
    ['/redeem/account', words.account.title],
    ['/redemptions', words.redeem.list],
    ['/gift-cards', words.giftCards.title],
    ['/statement', words.statement.title],
    ['/claims', words.claims.title],
    ['/you/export?format=csv', you.exportCsv],
    ['/you/export?format=json', you.exportJson],
    ['/you/sign-in', words.signIn.account.title],
    ['/you/delete', words.leave.title],
  ] as const
  const content = html`<h1>${you.title}</h1>
    ${renderFormFault(visit)}
    <dl class="facts">
      <div><dt>${you.email}</dt><dd>${user.email ?? you.unknown}</dd></div>
      <div><dt>${you.zip}</dt><dd>${user.primaryZipCode ?? you.unknown}</dd></div>
      <div><dt>${you.accepted}</dt><dd>${status === 'PENDING' ? you.notAccepted : you.acceptedText}</dd></div>
    </dl>
    ${linkList(base, links)}
    ${renderMarketingPanel(visit, choices)}
    <form method="post" action="${base}/sign-out"><button class="btn soft">${you.signOut}</button></form>`
  return { title: you.title, tab: 'you', content }
}

/**
 * Renders the page that a sign-in link opens. An email scanner that opens the link does not use it up, because only the
 * button does.
 */
export function enterPage({ words, name, path, portal }: Visit): PortalPage {
  const content = html`<section class="plain">
    <h1>${words.enter.title}</h1>
    <p>${portal.welcome ?? words.enter.text(name)}</p>
    <form method="post" action="${path}"><button class="btn">${words.enter.button}</button></form>
  </section>`
  return { title: words.enter.title, content }
}
