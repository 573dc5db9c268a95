import { type Html, html } from '../../platform/text/html.ts'
import { findLinkScript } from '../../purchases/linker/index.ts'
import { type LinkWithCards, listLinks } from '../../sources/cards/index.ts'
import type { PageDeps, PortalPage, UserVisit } from '../visit.ts'
import { formatInstant } from '../words/formats.ts'
import { renderFormPage } from './fields.ts'
import { renderInitials } from './icons.ts'

/** Renders the user's cards by login, what each login needs, and the provider's component for linking and repairing. */
export async function renderCardsPage(visit: UserVisit, { db, parts }: PageDeps): Promise<PortalPage> {
  const { publisher, user, words, base, name } = visit
  const links = await listLinks(db.reader, publisher, user.userId)
  const linkScript = findLinkScript(parts, publisher)
  const canLink = linkScript !== null
  const content = html`${links.length === 0 && html`<p class="empty">${canLink ? words.cards.none(name) : words.cards.noLinking(name)}</p>`}
    ${links.map((one) => login(visit, one, canLink))}
    ${canLink && linking(visit, base)}`
  return { ...renderFormPage(visit, words.cards.title, content, 'cards'), linkScript }
}

/** Renders the data for the page's script. Without the script, the buttons stay disabled and a message explains why. */
function linking({ words }: UserVisit, base: string): Html {
  const hidden = (name: string): Html => html`<input type="hidden" name="${name}" />`
  return html`<div class="linking" data-linking="${base}/cards/token" data-failed="${words.cards.failed}">
    <div class="row"><button class="btn" type="button" data-link disabled>${words.cards.add}</button></div>
    <noscript><p class="help">${words.cards.needsScript}</p></noscript>
    <p class="help">${words.cards.safe}</p>
    <p role="status"></p>
    <form method="post" action="${base}/cards">${hidden('public_token')}${hidden('institution_id')}${hidden('institution_name')}</form>
  </div>`
}

function login(visit: UserVisit, { link, cards }: LinkWithCards, canLink: boolean): Html {
  const { words, base } = visit
  const { institutionName: bank, institutionId } = link
  const state = describeLogin(visit, link)
  const items = cards.map(
    (card) => html`<li><b>${card.name}</b>${card.mask !== null && html`<span>•••• ${card.mask}</span>`}</li>`,
  )
  return html`<section class="panel login">
    <div class="bank">
      ${renderInitials(bank, 'mono')}
      <h2>${bank}</h2>
      <span class="pill ${state.isWorking ? 'earned' : 'pending'}">${state.name}</span>
    </div>
    ${state.text !== null && html`<p class="why">${state.text}</p>`}
    <ul class="facts-of">${items}</ul>
    ${state.action !== null && canLink && html`<div class="row"><button class="btn" type="button" data-link="${institutionId}" disabled>${state.action}<span class="sr">: ${bank}</span></button></div>`}
    <details>
      <summary>${words.cards.unlink}<span class="sr">: ${bank}</span></summary>
      <p>${words.cards.unlinkText(bank)}</p>
      <form class="unlink" method="post" action="${base}/cards/${encodeURIComponent(institutionId)}/unlink">
        <button class="btn soft">${words.cards.unlinkNow}</button>
      </form>
    </details>
  </section>`
}

type LoginState = {
  readonly name: string
  readonly isWorking: boolean
  readonly text: string | null
  readonly action: string | null
}

function describeLogin(visit: UserVisit, link: LinkWithCards['link']): LoginState {
  const { cards, broken } = visit.words
  if (link.error === 'NEED_AUTHENTICATION')
    return { name: cards.broken, isWorking: false, text: broken(link.institutionName), action: cards.repair }
  if (link.error === 'UNKNOWN')
    return { name: cards.unknown, isWorking: false, text: cards.unknownText, action: cards.repair }
  const deadline = link.reauthenticationDeadline
  if (deadline !== null) {
    const text = cards.deadline(formatInstant(visit, deadline))
    return { name: cards.working, isWorking: true, text, action: cards.repair }
  }
  return link.newAccountsAvailable
    ? { name: cards.working, isWorking: true, text: cards.newAccounts, action: cards.choose }
    : { name: cards.working, isWorking: true, text: null, action: null }
}
