import { encodeId } from '../../platform/ids.ts'
import { Refusal } from '../../platform/refusal.ts'
import { type Html, html } from '../../platform/text/html.ts'
import {
  type AccountRefusal,
  findUserAccount,
  hasSignedInRecently,
  listPasskeys,
  type Passkey,
  parsePasskeyId,
  passkeyPlaceOf,
} from '../../tenants/accounts/index.ts'
import type { PageDeps, PortalFields, PortalPage, UserVisit, Visit } from '../visit.ts'
import { formatInstant } from '../words/formats.ts'
import { renderFormFault, renderFormPanel, renderTextInput } from './fields.ts'

type Place = {
  /** The path from which the script gets the options for the device. */
  readonly options: string
  /** The origin that the passkeys belong to. */
  readonly origin: string
}
type OwnAccount = NonNullable<Awaited<ReturnType<typeof findUserAccount>>>

/**
 * Wraps content that the script shows if the browser supports passkeys. The form inside receives the device's response.
 */
export function renderPasskeyPlace({ words }: Visit, { options, origin }: Place, content: Html): Html {
  const { declined, known, failed } = words.signIn.passkeys
  return html`<div class="passkey" data-passkey="${options}" data-origin="${origin}" data-declined="${declined}" data-known="${known}" data-failed="${failed}" hidden>
    ${content}
    <p class="error" role="alert"></p>
  </div>`
}

export function renderAnswerInputs(names: readonly string[]): Html {
  return html`${names.map((name) => html`<input type="hidden" name="${name}" />`)}`
}

/** Renders the user's passkeys and the form to add one. */
export async function renderPasskeysPanel(
  visit: UserVisit,
  { db, parts }: PageDeps,
  { accountId }: OwnAccount,
): Promise<{ readonly panel: Html; readonly usesPasskeys: boolean }> {
  const { words, sessionId } = visit
  const { passkeys } = words.signIn
  const [known, mayAdd] = await Promise.all([
    listPasskeys(db.reader, accountId),
    hasSignedInRecently(db.reader, { accountId, sessionId }, parts.clock.now()),
  ])
  const panel = html`<div class="panel">
    <h2>${passkeys.title}</h2>
    <p>${passkeys.text}</p>
    ${known.length > 0 && html`<ul class="facts-of">${known.map((one) => passkeyRow(visit, one))}</ul>`}
    ${mayAdd ? addForm(visit, passkeyPlaceOf(parts.baseUrl).origin) : signInAgain(visit, passkeys.addAgain)}
  </div>`
  return { panel, usesPasskeys: mayAdd }
}

function passkeyRow(visit: UserVisit, passkey: Passkey): Html {
  const address = `${visit.base}/you/sign-in/passkeys/${encodeId('psk', passkey.passkeyId)}`
  return html`<li><a class="text" href="${address}">${passkey.name}</a><span>${describeUses(visit, passkey)}</span></li>`
}

function describeUses(visit: UserVisit, { createdAt, lastUsedAt }: Passkey): string {
  const { passkeys, account } = visit.words.signIn
  const used = lastUsedAt === null ? passkeys.unused : account.lastUsed(formatInstant(visit, lastUsedAt))
  return `${passkeys.added(formatInstant(visit, createdAt))} · ${used}`
}

function addForm(visit: UserVisit, origin: string): Html {
  const { words, base } = visit
  const { passkeys } = words.signIn
  const path = `${base}/you/sign-in/passkeys`
  const form = html`<form method="post" action="${path}">
    ${nameInput(visit, '', passkeys.nameHelp)}
    ${renderAnswerInputs(['credential_id', 'client_data', 'attestation_object', 'transports'])}
    <div class="row"><button class="btn">${passkeys.add}</button></div>
  </form>`
  return html`${renderPasskeyPlace(visit, { options: `${path}/options`, origin }, form)}
    <p class="help" data-no-passkey hidden>${passkeys.unsupported}</p>
    <noscript><p class="help">${passkeys.needsScript}</p></noscript>`
}

function nameInput(visit: UserVisit, value: string, help?: string): Html {
  const { name: label } = visit.words.signIn.passkeys
  const attributes = html`type="text" autocomplete="off" required maxlength="100"`
  return renderTextInput(visit, {
    name: 'passkey_name',
    label,
    value,
    attributes,
    ...(help === undefined ? {} : { help }),
  })
}

function signInAgain({ words, base }: UserVisit, why: string): Html {
  const { passkeys } = words.signIn
  return html`<p class="help">${why}</p>
    <div class="row"><a class="btn soft" href="${base}/sign-in?again=yes">${passkeys.again}</a></div>`
}

/**
 * Renders one passkey, with forms to rename or remove it.
 * @throws Refusal passkey_not_found
 */
export async function renderPasskeyPage(
  visit: UserVisit,
  { db, parts }: PageDeps,
  { passkey_id: uid = '' }: PortalFields,
): Promise<PortalPage> {
  const { publisher, portal, user, words, base, sessionId } = visit
  const { signIn, cancel } = words
  const passkeyId = parsePasskeyId(uid)
  const account = await findUserAccount(db.reader, { publisherId: publisher.id, userId: user.userId })
  const known = account === null || !portal.allowsAccounts ? [] : await listPasskeys(db.reader, account.accountId)
  const passkey = known.find((one) => one.passkeyId === passkeyId)
  if (passkey === undefined) throw new Refusal<AccountRefusal>('passkey_not_found', 'You have no such passkey.')
  const path = `/you/sign-in/passkeys/${uid}`
  const { remove, removeText } = signIn.passkeys
  const removal = { title: remove, text: removeText(passkey.name), path: `${path}/remove`, button: remove } as const
  const mayChange =
    account !== null &&
    (await hasSignedInRecently(db.reader, { accountId: account.accountId, sessionId }, parts.clock.now()))
  const forms = html`<div class="panel">
      <h2>${signIn.passkeys.rename}</h2>
      <form method="post" action="${base}${path}">
        ${nameInput(visit, passkey.name)}
        <div class="row"><a class="btn soft" href="${base}/you/sign-in">${cancel}</a><button class="btn">${signIn.save}</button></div>
      </form>
    </div>
    ${renderFormPanel(visit, { ...removal, isDangerous: true }, false)}`
  const content = html`<section class="form">
    <h1>${passkey.name}</h1>
    <p>${describeUses(visit, passkey)}</p>
    ${renderFormFault(visit)}
    ${mayChange ? forms : signInAgain(visit, signIn.passkeys.changeAgain)}
  </section>`
  return { title: passkey.name, tab: 'you', content }
}
