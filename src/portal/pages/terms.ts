import { type Html, html } from '../../platform/text/html.ts'
import {
  findNewerThanAccepted,
  listAcceptances,
  listDocuments,
  readCurrentTerms,
  type TermsDocument,
} from '../../users/terms/index.ts'
import type { PageDeps, PortalPage, UserVisit, Visit } from '../visit.ts'
import { LANGUAGES } from '../words/words.ts'
import { renderFormPage } from './fields.ts'

/**
 * Renders the terms that users must accept in order to earn. If the user accepted earlier terms, also shows the changes
 * and explains that rewards already earned are unaffected.
 * @throws Refusal terms_not_published
 */
export async function renderTermsPage(visit: UserVisit, { db }: PageDeps): Promise<PortalPage> {
  const { publisher, user, words, base, name, now } = visit
  const { terms } = words
  const [{ current }, documents, acceptances] = await Promise.all([
    readCurrentTerms(db.reader, publisher.id, now),
    listDocuments(db.reader, publisher.id),
    listAcceptances(db.reader, publisher.id, [user.userId]),
  ])
  const acceptedIds = acceptances.map(({ documentId }) => documentId)
  const { accepted, newer } = findNewerThanAccepted(documents, acceptedIds, now)
  const title = newer.length > 0 ? terms.changedTitle : terms.title
  const content = html`<p>${newer.length > 0 ? terms.changedText(name) : terms.text(name)}</p>
    <div class="panel">
      ${newer.length > 0 && html`<h2>${terms.changes}</h2><ul class="rules">${newer.map((one) => html`<li><span>${changeText(visit, one)} ${renderDocumentLink(one, terms.read(one.revision))}</span></li>`)}</ul>`}
      ${newer.length > 0 && accepted !== null && html`<p>${renderDocumentLink(accepted, terms.readAccepted(accepted.revision))}</p>`}
      ${newer.length === 0 && html`<p>${renderDocumentLink(current, terms.read(current.revision))}</p>`}
      <form method="post" action="${base}/terms">
        <input type="hidden" name="tnc_id" value="${current.documentId}" />
        <div class="row"><button class="btn">${terms.accept}</button></div>
      </form>
    </div>
    ${accepted !== null && withoutAccepting(visit)}`
  return renderFormPage(visit, title, content)
}

function withoutAccepting({ words, base }: UserVisit): Html {
  const links = [
    ['/redeem', words.redeem.title],
    ['/purchases', words.purchases.title],
    ['/cards', words.cards.title],
    ['/you/export?format=csv', words.you.exportCsv],
    ['/you/delete', words.leave.title],
  ] as const
  return html`<div class="head"><h2>${words.terms.otherwise}</h2></div>
    <p>${words.terms.otherwiseText}</p>
    ${linkList(base, links)}`
}

/** Renders a list of links to portal pages. */
export function linkList(base: string, links: readonly (readonly [path: string, text: string])[]): Html {
  return html`<ul class="list links">
    ${links.map(([path, text]) => html`<li><b class="go"><a href="${base}${path}">${text}</a><span class="chevron" aria-hidden="true">›</span></b></li>`)}
  </ul>`
}

export function renderDocumentLink({ url }: Pick<TermsDocument, 'url'>, text: string): Html {
  return html`<a class="text" href="${url}" target="_blank" rel="noopener noreferrer">${text}</a>`
}

/** Returns the changes in a revision, in the user's language if possible; null if the operator described none. */
export function changeText({ language }: Visit, { changes }: TermsDocument): Html | null {
  const shown = [language, ...LANGUAGES].find((one) => changes[one] !== undefined)
  return shown === undefined ? null : html`<span lang="${shown}">${changes[shown]}</span>`
}

/** Renders the note, shown on every other page, that nothing is earned until the terms are accepted. */
export function renderPendingNote({ status, words, base, path }: UserVisit): Html | null {
  if (status !== 'PENDING' || path === `${base}/terms`) return null
  return html`<p class="note"><span>${words.terms.note}</span><a href="${base}/terms">${words.terms.review}</a></p>`
}
