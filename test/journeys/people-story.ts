import { TOTP } from 'otpauth'
import { decodeId, encodeId } from '../../src/platform/ids.ts'
import { type AccountId, openSession } from '../../src/tenants/accounts/index.ts'
import type { TestApp } from '../support/app.ts'
import { createAuthenticator } from '../support/authenticator.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers are checked against their schemas, which the compiler cannot know
type Ask = (operationId: string, address: string, body?: object) => Promise<any>

/**
 * Makes the calls that a person makes for their own account, an admin for other accounts, and a publisher for its
 * portal.
 */
export async function tellOfPeople({ service, call }: TestApp, ask: Ask): Promise<void> {
  const { account_id: uid } = await ask('getMe', '/accounts/me')
  const accountId = decodeId<'account'>('acc', uid) as AccountId
  await ask('changePassword', '/accounts/password', { password: 'a sentence that nobody guesses' })
  const { secret } = await ask('beginTotp', '/accounts/totp')
  await ask('confirmTotp', '/accounts/totp/confirm', { code: new TOTP({ secret }).generate() })
  await ask('removeTotp', '/accounts/totp')
  const { origin } = await ask('listPasskeys', '/accounts/passkeys')
  const { options } = await ask('beginPasskey', '/accounts/passkeys/options')
  const made = createAuthenticator(origin).make(options)
  const { passkey_id } = await ask('addPasskey', '/accounts/passkeys', { name: 'Phone', ...made })
  await ask('renamePasskey', `/accounts/passkeys/${passkey_id}`, { name: 'Old phone' })
  await ask('removePasskey', `/accounts/passkeys/${passkey_id}`)
  const { sessionId } = await service.db.transaction((tx) =>
    openSession(tx, { kind: 'operator', accountId }, { address: '198.51.100.7', userAgent: 'Firefox' }, new Date()),
  )
  await ask('listSessions', '/accounts/sessions')
  await ask('endSession', `/accounts/sessions/${encodeId('ses', sessionId)}`)
  await ask('signOut', '/accounts/sign-out')
  const { account_id: invited } = await ask('inviteStaff', '/operator/staff', {
    email: 'm@example.com',
    role: 'support',
  })
  await ask('inviteStaffAgain', `/operator/staff/${invited}/invite`)
  await ask('changeStaff', `/operator/staff/${invited}`, { disabled: true })
  await ask('listStaff', '/operator/staff')
  const { account_id: theirs } = await ask('invitePublisherStaff', '/staff', {
    email: 'p@example.com',
    role: 'support',
  })
  await ask('invitePublisherStaffAgain', `/staff/${theirs}/invite`)
  await ask('changePublisherStaff', `/staff/${theirs}`, { role: 'read-only' })
  await ask('listPublisherStaff', '/staff')
  await call('POST', '/users', { publisher_user_id: 'visitor' })
  await ask('setPortalSettings', '/portal/settings', {
    slug: 'acorn',
    shown_name: null,
    hue: 42,
    chroma: 0.16,
    frame_ancestors: [],
  })
  await ask('listAcceptances', '/users/visitor/acceptances')
  await ask('chooseMarketing', '/users/visitor/marketing-choices', { agreed: true, wording: 'Yes.', language: 'en' })
  await ask('listMarketingChoices', '/users/visitor/marketing-choices')
  await ask('getSandboxClock', '/sandbox/clock')
  await ask('getOwnPublisher', '/publishers/me')
  await ask('getPortalSettings', '/portal/settings')
  await ask('previewPortalTheme', '/portal/theme?hue=42&chroma=0.16')
  await ask('createPortalSession', '/portal/sessions', { publisher_user_id: 'visitor' })
  await service.db.transaction(
    (tx) => tx`
      insert into accounts (account_id, kind, publisher_id, user_id, email, name, created_at)
      select gen_random_uuid(), 'user', publisher_id, user_id, 'visitor@example.com', 'Visitor', now()
      from users where publisher_user_id = 'visitor'`,
  )
  await ask('getPortalAccount', '/portal/accounts/visitor')
  await ask('removePortalAccount', '/portal/accounts/visitor')
}
