import type { Row } from './row.ts'

const unknownId = (prefix: string) => `${prefix}_01kbjyt5v3f4nvj5yq5yfypr9v`
const token = 'a-token-of-forty-three-characters-in-a-mail'
const password = 'a sentence that nobody guesses'
const email = 'nobody@example.com'
const account = { account_id: unknownId('acc') }

/** Valid requests for the operations that sign people in or manage their accounts. */
export const ACCOUNT_ROWS: Readonly<Record<string, Row>> = {
  signIn: { scope: 'open', body: { email, password } },
  finishSignIn: { scope: 'open', body: { code: '492039' } },
  enterByLink: { scope: 'open', body: { token } },
  acceptInvitation: { scope: 'open', body: { token, name: 'Mara Rossi', password } },
  requestPasswordReset: { scope: 'open', body: { email } },
  resetPassword: { scope: 'open', body: { token, password } },
  beginPasskeySignIn: { scope: 'open' },
  signInByPasskey: {
    scope: 'open',
    body: { credential_id: 'AAAA', client_data: 'AAAA', authenticator_data: 'AAAA', signature: 'AAAA' },
  },
  listPasskeys: { scope: 'session' },
  beginPasskey: { scope: 'session' },
  addPasskey: {
    scope: 'session',
    body: {
      name: 'Phone',
      credential_id: 'AAAA',
      client_data: 'AAAA',
      attestation_object: 'AAAA',
      transports: ['usb'],
    },
  },
  renamePasskey: { scope: 'session', params: { passkey_id: unknownId('psk') }, body: { name: 'Phone' } },
  removePasskey: { scope: 'session', params: { passkey_id: unknownId('psk') } },
  getMe: { scope: 'session' },
  changePassword: { scope: 'session', body: { current_password: password, password } },
  signOut: { scope: 'session' },
  listSessions: { scope: 'session' },
  endSession: { scope: 'session', params: { session_id: unknownId('ses') } },
  beginTotp: { scope: 'session' },
  confirmTotp: { scope: 'session', body: { code: '492039' } },
  removeTotp: { scope: 'session' },
  listStaff: { scope: 'operator' },
  inviteStaff: { scope: 'operator', body: { email, role: 'support' } },
  inviteStaffAgain: { scope: 'operator', params: account },
  listPublisherStaff: { scope: 'staff:read' },
  invitePublisherStaff: { scope: 'staff:write', body: { email, role: 'support' } },
  invitePublisherStaffAgain: { scope: 'staff:write', params: account },
  changePublisherStaff: { scope: 'staff:write', params: account, body: { role: 'support', disabled: false } },
  changeStaff: { scope: 'operator', params: account, body: { role: 'support', disabled: false } },
}
