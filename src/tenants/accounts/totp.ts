import { randomBytes } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { renderSVG } from 'uqr'

// RFC 6238 with the defaults of authenticator apps: SHA-1, six digits, 30 seconds.
const STEP_SECONDS = 30
// RFC 4226, section 4, recommends 160 bits.
const SECRET_BYTES = 20
// The device's clock may be half a minute off (RFC 6238, section 5.2).
const STEPS_ASIDE = 1
const CODES = 10
const CODE_BYTES = 5

/** Generates a secret, in base32. */
export function newSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32
}

/** Returns the enrollment URI for an authenticator app, also as a QR code. */
export function buildEnrolment(secret: string, email: string): { uri: string; qrSvg: string } {
  const uri = createTotp(secret, email).toString()
  return { uri, qrSvg: renderSVG(uri) }
}

/** Returns the time step that a code belongs to; null if the code is not current. */
export function findStep(secret: string, code: string, now: Date): number | null {
  // A non-ASCII digit is one character but several bytes, which the library's comparison does not expect.
  if (!/^[0-9]{6}$/.test(code)) return null
  const timestamp = now.getTime()
  const delta = createTotp(secret, '').validate({ token: code, timestamp, window: STEPS_ASIDE })
  return delta === null ? null : Math.floor(timestamp / 1_000 / STEP_SECONDS) + delta
}

/** Generates backup codes to write down. They can be short because attempts are limited. */
export function newBackupCodes(): string[] {
  return Array.from({ length: CODES }, newCode)
}

/** Generates a code such as 3f9a1-c02be from 40 random bits. */
export function newCode(): string {
  const digits = randomBytes(CODE_BYTES).toString('hex')
  return `${digits.slice(0, 5)}-${digits.slice(5)}`
}

/** Normalizes a typed code. */
export function normalizeCode(typed: string): string {
  return typed.toLowerCase().replaceAll(/[^0-9a-f]/g, '')
}

function createTotp(secret: string, label: string): TOTP {
  return new TOTP({ issuer: 'Laurel', label: label || 'Laurel', secret, period: STEP_SECONDS })
}
