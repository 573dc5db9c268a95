/** Descriptions of error codes from Node, its HTTP client and OpenSSL, as clauses about the remote side. */
const BY_CODE: Readonly<Record<string, string>> = {
  ENOTFOUND: 'its name does not resolve',
  ENODATA: 'its name does not resolve',
  EAI_AGAIN: 'its name cannot be resolved at the moment',
  ECONNREFUSED: 'it refuses the connection',
  EHOSTUNREACH: 'there is no route to it',
  ENETUNREACH: 'there is no route to it',
  ECONNRESET: 'it closed the connection',
  EPIPE: 'it closed the connection',
  UND_ERR_SOCKET: 'it closed the connection',
  ETIMEDOUT: 'it did not respond in time',
  ESOCKET: 'the connection failed',
  UND_ERR_CONNECT_TIMEOUT: 'it did not respond in time',
  UND_ERR_HEADERS_TIMEOUT: 'it did not respond in time',
  UND_ERR_BODY_TIMEOUT: 'it did not respond in time',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed and therefore not trusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate was issued by an untrusted authority',
  UNABLE_TO_GET_ISSUER_CERT: 'its certificate was issued by an untrusted authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate was issued by an untrusted authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'it does not send its full certificate chain',
}

/**
 * Describes why a call got no response, as a clause such as "its certificate has expired". Unknown errors are described
 * by their code. Returns null if the error is not a network error.
 */
export function describeNetworkFault(error: unknown): string | null {
  for (const { name, code } of errorsIn(error)) {
    if (name === 'TimeoutError') return 'it did not respond in time'
    if (code === null) continue
    const known = BY_CODE[code]
    if (known !== undefined) return known
    if (/CERT|SELF_SIGNED|UNABLE_TO/.test(code)) return `its certificate is not trusted (${code})`
    if (/TLS|SSL|^EPROTO$/.test(code)) return `the TLS handshake failed (${code})`
    if (/^(E[A-Z]|UND_ERR_)/.test(code) && !code.startsWith('ERR_')) return `the connection failed (${code})`
  }
  return null
}

type Facts = { readonly name: string; readonly code: string | null }

/** Lists the error and its causes. If several addresses were tried, a single error contains the error for each. */
function errorsIn(error: unknown): Facts[] {
  if (!(error instanceof Error)) return []
  const { code, errors } = error as { code?: unknown; errors?: unknown }
  const inner = [error.cause, ...(Array.isArray(errors) ? errors : [])].flatMap(errorsIn)
  return [{ name: error.name, code: typeof code === 'string' ? code : null }, ...inner]
}
