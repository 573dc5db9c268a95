import { randomUUID } from 'node:crypto'
import { buildStoredError } from '../errors.ts'
import { newRequestId } from '../ids.ts'
import type { Institution } from '../institutions.ts'
import type { LinkEvent, LinkExit, LinkResult } from '../state.ts'
import type { World } from '../world.ts'
import type { LinkSession, View } from './session.ts'

/**
 * Records what a link page session reports to the client: its events and its outcome. In an app's iframe, each page
 * sends the record to the app's script. A Hosted Link session is reported by webhooks and in /link/token/get.
 */

/** The exit status, by the view that the user left. */
const STATUSES: Readonly<Record<View, string>> = {
  CONSENT: 'requires_credentials',
  SELECT_INSTITUTION: 'requires_credentials',
  CREDENTIAL: 'requires_credentials',
  OAUTH: 'requires_oauth',
  MFA: 'requires_code',
  SELECT_ACCOUNT: 'requires_account_selection',
  ERROR: 'requires_credentials',
  CONNECTED: 'connected',
}

// Far more events than any session should have. Only reloading a page for hours would reach this limit.
const EVENTS_MAX = 500

export function recordEvent(
  world: World,
  session: LinkSession,
  event_name: string,
  metadata: Readonly<Record<string, string>> = {},
): void {
  if (session.events.length >= EVENTS_MAX) return
  const { bank, linkToken } = session
  const event_metadata = {
    request_id: newRequestId(),
    ...(bank === null ? {} : { institution_id: bank.id, institution_name: bank.name }),
    ...(linkToken.itemId === null ? {} : { is_update_mode: 'true' }),
    ...metadata,
  }
  session.events.push({ event_name, event_id: randomUUID(), timestamp: world.now().toISOString(), event_metadata })
}

/** Records that the user reached a view. Showing the same view again, after a reload or an error, records nothing. */
export function recordView(world: World, session: LinkSession, view: View): void {
  if (session.view === view) return
  session.view = view
  const metadata = view === 'MFA' ? { view_name: view, mfa_type: 'code' } : { view_name: view }
  recordEvent(world, session, 'TRANSITION_VIEW', metadata)
}

export function recordBank(world: World, session: LinkSession, bank: Institution): void {
  if (session.bank === bank) return
  session.bank = bank
  session.error = null
  if (session.linkToken.itemId === null) recordEvent(world, session, 'SELECT_INSTITUTION')
}

export function recordSearch(world: World, session: LinkSession, query: string, isFound: boolean): void {
  session.foundNoBank = query !== '' && !isFound
  if (query !== '') recordEvent(world, session, 'SEARCH_INSTITUTION', { institution_search_query: query })
}

/** Records an error after which the user may try again. */
export function recordError(world: World, session: LinkSession, code: string): void {
  const error = buildStoredError(code)
  session.error = error
  const { error_type, error_code, error_message } = error
  recordEvent(world, session, 'ERROR', { error_type, error_code, error_message })
}

export function recordResult(world: World, session: LinkSession, result: LinkResult): void {
  session.result = result
  session.error = null
  recordView(world, session, 'CONNECTED')
  recordEvent(world, session, 'HANDOFF')
  announceEnd(world, session)
}

/** Records that the user left, unless an exit or a result is already recorded. */
export function recordExit(world: World, session: LinkSession): void {
  if (session.exit !== null || session.result !== null) return
  const { id, bank, error, view, foundNoBank } = session
  const status = view === null ? 'requires_credentials' : foundNoBank ? 'institution_not_found' : STATUSES[view]
  session.exit = {
    error,
    metadata: {
      institution: bank === null ? null : { institution_id: bank.id, name: bank.name },
      status,
      link_session_id: id,
      request_id: newRequestId(),
    },
  }
  const { error_type, error_code, error_message } = error ?? {}
  recordEvent(world, session, 'EXIT', {
    exit_status: status,
    ...(error_type && error_code && error_message ? { error_type, error_code, error_message } : {}),
  })
  announceEnd(world, session)
}

/** Announces the end of a Hosted Link session by webhook, because it has no script to notify the client. */
function announceEnd(world: World, session: LinkSession): void {
  const { id, linkToken, result, exit, events, startedAt } = session
  if (!isHosted(session)) return
  const finishedAt = world.now().toISOString()
  linkToken.sessions ??= []
  linkToken.sessions.push({ sessionId: id, startedAt, finishedAt, events: [...events], result, exit })
  world.changed()
  const about = { link_session_id: id, link_token: linkToken.token }
  const public_tokens = result === null ? [] : [result.public_token]
  for (const public_token of public_tokens)
    world.webhooks.sendForLink(linkToken, 'ITEM_ADD_RESULT', { ...about, public_token })
  world.webhooks.sendForLink(linkToken, 'EVENTS', { ...about, events })
  const status = result === null ? 'EXITED' : 'SUCCESS'
  world.webhooks.sendForLink(linkToken, 'SESSION_FINISHED', { ...about, status, public_tokens })
}

export function isHosted({ linkToken, embedder }: Pick<LinkSession, 'linkToken' | 'embedder'>): boolean {
  return linkToken.hosted !== undefined && embedder === null
}

/**
 * Builds the record that every framed page sends to the app's script. The record is cumulative, so the order of
 * messages does not matter.
 */
export function presentRecord(session: LinkSession): FrameRecord {
  const { id, embedder, result, exit } = session
  session.sentCount = session.events.length
  return {
    embedder,
    link_session_id: id,
    events: session.events.slice(session.firstEventIndex).map((event) => presentEvent(id, event)),
    result: result === null ? null : presentResult(id, result),
    exit,
  }
}

export type FrameRecord = {
  readonly embedder: string | null
  readonly link_session_id: string | null
  readonly events: readonly ReturnType<typeof presentEvent>[]
  readonly result: ReturnType<typeof presentResult> | null
  readonly exit: LinkExit | null
}

const EMPTY_METADATA = {
  account_number_mask: null,
  error_type: null,
  error_code: null,
  error_message: null,
  exit_status: null,
  institution_id: null,
  institution_name: null,
  institution_search_query: null,
  is_update_mode: null,
  match_reason: null,
  mfa_type: null,
  routing_number: null,
  view_name: null,
  selection: null,
}

function presentEvent(link_session_id: string, { event_name, event_id, timestamp, event_metadata }: LinkEvent) {
  return { event_name, event_id, metadata: { ...EMPTY_METADATA, ...event_metadata, timestamp, link_session_id } }
}

function presentResult(link_session_id: string, { public_token, institution, accounts }: LinkResult) {
  const shown = accounts.map((account) => ({ ...account, verification_status: null, class_type: null }))
  return { public_token, metadata: { institution, accounts: shown, link_session_id, transfer_status: null } }
}
