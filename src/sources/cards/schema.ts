import Type from 'typebox'
import { enumField, namedObject, nullable } from '../../platform/http/index.ts'
import { encodeId } from '../../platform/ids.ts'
import type { Refusal } from '../../platform/refusal.ts'
import type { User } from '../../users/users/index.ts'
import type { BankAccount, Card, Link } from './queries.ts'

const login = {
  publisher_user_id: Type.String(),
  svc_user_id: Type.String(),
  institution_id: Type.String(),
  institution_name: Type.String(),
}
const account = {
  account_id: Type.String(),
  name: nullable(Type.String()),
  mask: nullable(Type.String({ description: 'The last digits of the account.' })),
  error: nullable(enumField(['NEED_AUTHENTICATION', 'UNKNOWN'])),
  reauthentication_deadline: nullable(
    Type.String({ description: 'Deadline for the user to sign in again, or null if none is known.' }),
  ),
}
const certain = Type.Boolean({ description: 'True if it is certainly the same account, false if it only might be.' })
const VERSION = 'Increases by one each time the card changes.'

export const CardSchema = namedObject('Card', {
  card_id: Type.String({ description: 'ID of the card.' }),
  ...login,
  ...account,
  linked_at: Type.String({ description: 'When it was linked.' }),
  unlinked_at: nullable(Type.String({ description: 'When it was unlinked, or null if it is still linked.' })),
  version: Type.Integer({ description: VERSION }),
})
/** A linked card, or an account that was not linked because another user holds it. */
export const DuplicateCardSchema = namedObject('DuplicateCard', {
  card_id: nullable(Type.String({ description: 'ID of the card, or null if it is not linked.' })),
  ...login,
  ...account,
  account_id: nullable(Type.String({ description: 'Account at the provider, or null if unknown.' })),
  linked_at: nullable(Type.String({ description: 'When the card was linked, or null if it is not linked.' })),
  unlinked_at: nullable(Type.String({ description: 'When the card was unlinked, or null if it has not been.' })),
  version: Type.Integer({ description: `${VERSION} 0 if it is not linked.` }),
  certain,
})
export const NewAccountsSchema = namedObject('NewAccounts', {
  ...login,
  new_accounts_available: Type.Boolean({
    description: 'True if the user can share the new accounts by repairing the login.',
  }),
})
export const FailedLinkSchema = namedObject('FailedLink', {
  ...login,
  code: Type.String({ description: 'Machine-readable reason, as in an error response.' }),
  detail: Type.String({ description: 'Human-readable explanation.' }),
})

/** Builds the event payload for a card: the API's linked card plus its user and institution. */
export function presentCardEvent(user: User, link: Link, card: Card): Record<string, unknown> {
  return {
    card_id: encodeId('crd', card.cardId),
    ...presentLogin(user, link.institutionId, link.institutionName),
    account_id: card.accountId,
    name: card.name,
    mask: card.mask,
    error: link.error,
    reauthentication_deadline: link.reauthenticationDeadline === null ? null : timestamp(link.reauthenticationDeadline),
    linked_at: timestamp(card.linkedAt),
    unlinked_at: card.unlinkedAt === null ? null : timestamp(card.unlinkedAt),
    version: card.version,
  }
}

/**
 * Builds the event payload for an account that was not linked because another user holds it. The payload does not
 * identify that user. It has no card ID and no timestamps, and its version is 0.
 */
export function presentDuplicateEvent(
  user: User,
  institution: { readonly id: string; readonly name: string },
  account: BankAccount | null,
): Record<string, unknown> {
  return {
    card_id: null,
    ...presentLogin(user, institution.id, institution.name),
    account_id: account?.accountId ?? null,
    name: account?.name ?? null,
    mask: account?.mask ?? null,
    error: null,
    reauthentication_deadline: null,
    linked_at: null,
    unlinked_at: null,
    version: 0,
    certain: true,
  }
}

/** Builds the event payload for a login with accounts that the user has not been asked about. */
export function presentNewAccountsEvent(user: User, link: Link): Record<string, unknown> {
  return { ...presentLogin(user, link.institutionId, link.institutionName), new_accounts_available: true }
}

/** A login that a user completed, and the reason it was not linked. */
export type FailedLink = {
  readonly institution: { readonly id: string; readonly name: string }
  readonly refusal: Refusal
}

/**
 * Builds the event payload for a login that a user completed but that was not linked. `code` and `detail` match those
 * of a rejected call.
 */
export function presentFailedLinkEvent(user: User, { institution, refusal }: FailedLink): Record<string, unknown> {
  return { ...presentLogin(user, institution.id, institution.name), code: refusal.code, detail: refusal.message }
}

/** Builds the part of a payload that describes a login's user and institution. */
function presentLogin(user: User, institutionId: string, institutionName: string) {
  return {
    publisher_user_id: user.publisherUserId,
    svc_user_id: encodeId('usr', user.userId),
    institution_id: institutionId,
    institution_name: institutionName,
  }
}

/** Formats an instant as RFC 3339 in UTC, to the second. */
function timestamp(instant: Date): string {
  return `${instant.toISOString().slice(0, 19)}Z`
}
