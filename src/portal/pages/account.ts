import { encodeId } from '../../platform/ids.ts'
import { type Html, html } from '../../platform/text/html.ts'
import {
  findSignUp,
  findUserAccount,
  listMailPreferences,
  listSessions,
  NOTICES,
  type Notice,
  needsPasswordToRemove,
  type SessionId,
} from '../../tenants/accounts/index.ts'
import type { PageDeps, PortalPage, UserVisit } from '../visit.ts'
import { formatInstant } from '../words/formats.ts'
import { renderFormPage, renderFormPanel, renderTextInput } from './fields.ts'
import { renderPasskeysPanel } from './passkeys.ts'
import { renderNewPasswordInput, renderPasswordInput } from './sign-in.ts'

/** Renders the user's sign-in settings, if the publisher allows accounts, and the browsers where they are signed in. */
export async function renderOwnSignInPage(visit: UserVisit, pages: PageDeps): Promise<PortalPage> {
  const { db, parts } = pages
  const { publisher, user, words, portal } = visit
  const { account } = words.signIn
  const whose = { publisherId: publisher.id, userId: user.userId }
  const realNow = parts.clock.now()
  const [sessions, known, named, wishes] = await Promise.all([
    listSessions(db.reader, { userId: user.userId }, realNow),
    findUserAccount(db.reader, whose),
    findSignUp(db.reader, whose, realNow),
    listMailPreferences(db.reader, whose),
  ])
  const passkeys = portal.allowsAccounts && known !== null ? await renderPasskeysPanel(visit, pages, known) : null
  const own = !portal.allowsAccounts
    ? null
    : known !== null
      ? html`${passwordForm(visit, known.email)}${passkeys?.panel}${mailsForm(visit, wishes)}`
      : html`${named !== null && codeForm(visit, named.email)}${addressForm(visit, named === null)}`
  const content = html`${own}
    ${known !== null && removalForm(visit, known.email)}
    <div class="head"><h2>${account.sessions}</h2></div>
    <ul class="list">${sessions.map((one) => sessionRow(visit, one))}</ul>`
  return {
    ...renderFormPage(visit, account.title, content, 'you'),
    usesPasskeys: passkeys?.usesPasskeys ?? false,
  }
}

function addressForm(visit: UserVisit, isFirst: boolean): Html {
  const { words, base, name, user } = visit
  const { account } = words.signIn
  return html`<div class="panel">
    <h2>${isFirst ? account.add : account.otherAddress}</h2>
    ${isFirst && html`<p>${account.addText(name)}</p>`}
    <form method="post" action="${base}/you/sign-in">
      ${renderTextInput(visit, { name: 'email', label: words.you.email, value: user.email ?? '', attributes: html`type="email" autocomplete="email" required maxlength="254"` })}
      <div class="row"><button class="btn">${account.sendCode}</button></div>
    </form>
  </div>`
}

function codeForm(visit: UserVisit, email: string): Html {
  const { account, save } = visit.words.signIn
  const panel = { title: account.enterCode, text: account.enterCodeText(email), path: '/you/sign-in/confirm' }
  const attributes = html`type="text" autocomplete="one-time-code" autocapitalize="off" spellcheck="false" required maxlength="20"`
  const code = renderTextInput(visit, { name: 'code', label: account.code, attributes })
  return renderFormPanel(visit, { ...panel, button: save }, [code, renderNewPasswordInput(visit)])
}

function passwordForm(visit: UserVisit, email: string): Html {
  const { account, save } = visit.words.signIn
  const panel = { title: account.change, text: account.changeText(email), path: '/you/sign-in/password', button: save }
  const current = renderPasswordInput(visit, 'current_password', account.current)
  return renderFormPanel(visit, panel, [current, renderNewPasswordInput(visit)])
}

/**
 * Renders the form that removes the account. It requires the password, unless someone else may have created the
 * account.
 */
function removalForm(visit: UserVisit, email: string): Html {
  const { words, name, user } = visit
  const { remove, removeText, current } = words.signIn.account
  const panel = { title: remove, text: removeText(email, name), path: '/you/sign-in/remove', button: remove } as const
  const isAsked = needsPasswordToRemove({ email }, user.email)
  const password = isAsked && renderPasswordInput(visit, 'removal_password', current)
  return renderFormPanel(visit, { ...panel, isDangerous: true }, password)
}

/** Renders the user's choice of email notifications. */
function mailsForm(visit: UserVisit, wishes: readonly Notice[]): Html {
  const { mails, save } = visit.words.signIn
  const boxes = NOTICES.map(
    (one) =>
      html`<label class="check"><input type="checkbox" name="${one}" value="yes" ${wishes.includes(one) && html`checked`} /> ${mails.notices[one]}</label>`,
  )
  const panel = { title: mails.title, text: mails.text, path: '/you/sign-in/mails', button: save }
  return renderFormPanel(visit, panel, boxes)
}

type Session = { readonly sessionId: SessionId; readonly lastUsedAt: Date; readonly userAgent: string }

function sessionRow(visit: UserVisit, session: Session): Html {
  const { words, base, sessionId } = visit
  const { account } = words.signIn
  const used = account.lastUsed(formatInstant(visit, session.lastUsedAt))
  const browser = browserName(session.userAgent)
  const end =
    session.sessionId === sessionId
      ? html`<span>${account.thisOne}</span>`
      : html`<form method="post" action="${base}/you/sign-in/sessions/${encodeId('ses', session.sessionId)}/end"><button class="btn soft small">${account.end}<span class="sr">: ${browser}</span></button></form>`
  return html`<li><div><b>${browser}</b><span>${used}</span></div><div class="plus">${end}</div></li>`
}

const BROWSERS = ['Firefox', 'Edg', 'OPR', 'Chrome', 'Safari'] as const
const SYSTEMS = ['Android', 'iPhone', 'iPad', 'Windows', 'Mac OS X', 'Linux'] as const
const SHOWN: Readonly<Record<string, string>> = { Edg: 'Edge', OPR: 'Opera', 'Mac OS X': 'macOS' }

/**
 * Returns a browser's common name. Takes the first match, because each browser also claims to be the ones listed after
 * it.
 */
function browserName(userAgent: string): string {
  const named = [BROWSERS, SYSTEMS].flatMap((names) => names.find((name) => userAgent.includes(name)) ?? [])
  return named.map((name) => SHOWN[name] ?? name).join(', ') || userAgent.slice(0, 40) || '–'
}
