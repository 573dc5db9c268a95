import { listLinks } from '../../cards/index.ts'
import { html } from '../../platform/html.ts'
import { currentTerms } from '../../terms/index.ts'
import type { PageDeps, PortalPage, UserVisit, Visit } from '../visit.ts'
import { initials } from './icons.ts'

/** The user's cards, and which logins are broken. */
export async function cardsPage(visit: UserVisit, { db }: PageDeps): Promise<PortalPage> {
  const { publisher, user, words, name } = visit
  const links = await listLinks(db.reader, publisher, user.userId)
  const rows = links.flatMap(({ link, cards }) =>
    cards.map(
      (card) => html`<li>
        ${initials(link.institutionName, 'mono')}
        <div><b>${link.institutionName}</b><span>${card.name}${card.mask !== null && ` •••• ${card.mask}`}</span></div>
        <div class="plus"><span class="pill ${link.error === null ? 'earned' : 'pending'}">${link.error === null ? words.cards.working : words.cards.broken}</span></div>
      </li>`,
    ),
  )
  const isBroken = links.some(({ link }) => link.error !== null)
  const content = html`<h1>${words.cards.title}</h1>
    ${isBroken && html`<p class="note" role="status">${words.cards.repair(name)}</p>`}
    ${rows.length === 0 ? html`<p class="empty">${words.cards.none(name)}</p>` : html`<ul class="list">${rows}</ul>`}`
  return { title: words.cards.title, tab: 'cards', content }
}

/** What is known of the user. */
export function youPage({ user, words, base }: UserVisit): PortalPage {
  const { you } = words
  const content = html`<h1>${you.title}</h1>
    <dl class="facts">
      <div><dt>${you.email}</dt><dd>${user.email ?? you.unknown}</dd></div>
      <div><dt>${you.zip}</dt><dd>${user.primaryZipCode ?? you.unknown}</dd></div>
      <div><dt>${you.accepted}</dt><dd>${you.acceptedText}</dd></div>
    </dl>
    <form method="post" action="${base}/sign-out"><button class="btn soft">${you.signOut}</button></form>`
  return { title: you.title, tab: 'you', content }
}

/** What a user sees who has not accepted the current terms. @throws Refusal terms_not_published */
export async function termsPage(visit: UserVisit, { db }: PageDeps): Promise<PortalPage> {
  const { publisher, words, base, name, now } = visit
  const { current } = await currentTerms(db.reader, publisher.id, now)
  const content = html`<section class="plain">
    <h1>${words.terms.title}</h1>
    <p>${words.terms.text(name)}</p>
    <p><a class="text" href="${current.url}" target="_blank" rel="noopener noreferrer">${words.terms.read(current.revision)}</a></p>
    <form method="post" action="${base}/terms">
      <input type="hidden" name="tnc_id" value="${current.documentId}" />
      <button class="btn">${words.terms.accept}</button>
    </form>
  </section>`
  return { title: words.terms.title, content }
}

/** Where a link leads. A scanner of mails that opens it uses nothing up, because only the button enters. */
export function enterPage({ words, name, path }: Visit): PortalPage {
  const content = html`<section class="plain">
    <h1>${words.enter.title}</h1>
    <p>${words.enter.text(name)}</p>
    <form method="post" action="${path}"><button class="btn">${words.enter.button}</button></form>
  </section>`
  return { title: words.enter.title, content }
}
