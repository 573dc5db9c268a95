import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import type { EndpointId } from '../record.ts'

/** The symmetric scheme of Standard Webhooks (https://www.standardwebhooks.com), which signs `id.timestamp.body`. */

const SECRET_BYTES = 32
const PREFIX = 'whsec_'

export function newSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64')
}

/** Prepares a secret for signing. Do this once for many webhooks, because it costs more than a signature. */
export function prepareKey(secret: string): KeyObject {
  return createSecretKey(secret.slice(PREFIX.length), 'base64')
}

/** Returns a webhook's signature, as sent in the webhook-signature header. */
export function createSignature(secret: string, webhookId: string, timestampSeconds: number, body: string): string {
  return sign(prepareKey(secret), webhookId, timestampSeconds, body)
}

/**
 * Returns the headers for one attempt. While a secret is being replaced, there are two signatures, either of which a
 * receiver may verify.
 */
export function signHeaders(
  keys: readonly KeyObject[],
  webhookId: string,
  timestampSeconds: number,
  body: string,
): Record<string, string> {
  return {
    'webhook-id': webhookId,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': keys.map((key) => sign(key, webhookId, timestampSeconds, body)).join(' '),
  }
}

function sign(key: KeyObject, webhookId: string, timestampSeconds: number, body: string): string {
  return `v1,${createHmac('sha256', key).update(`${webhookId}.${timestampSeconds}.${body}`).digest('base64')}`
}

/** Returns the encryption context of a secret, so that it cannot be decrypted if copied to another endpoint's row. */
export function sealContext(publisherId: string, endpointId: EndpointId): string {
  return `webhook_endpoints:${publisherId}:${endpointId}`
}
