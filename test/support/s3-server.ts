import { createHash, createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/**
 * A storage server that implements the part of S3 that reports need: objects in one bucket, multipart uploads, and
 * version 4 signatures in headers and presigned links. It computes signatures independently of the service, from the
 * published rules.
 */
export type S3Server = {
  readonly url: string
  readonly objects: ReadonlyMap<string, { readonly bytes: Buffer; readonly type: string }>
  /** Uploads that were started and neither completed nor aborted. */
  readonly uploads: ReadonlyMap<string, unknown>
  readonly calls: readonly string[]
  /** Makes the next matching calls fail with 500. A completion fails with a 200, as in S3. */
  fail(times: number, matching?: RegExp, refusal?: RefusedWith): void
  close(): Promise<void>
}

export const S3_KEYS = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' }
export const S3_BUCKET = 'laurel-reports'
const REGION = 'eu-central-1'

type RefusedWith = readonly [status: number, code: string]
type Failing = { times: number; readonly matching: RegExp; readonly refusal: RefusedWith | undefined }
type Stored = {
  readonly objects: Map<string, { readonly bytes: Buffer; readonly type: string }>
  readonly uploads: Map<string, { readonly type: string; readonly parts: Map<number, Buffer> }>
}

export async function startS3Server(): Promise<S3Server> {
  const stored: Stored = { objects: new Map(), uploads: new Map() }
  const calls: string[] = []
  let failing: Failing = { times: 0, matching: /./, refusal: undefined }
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)))
  })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', 'http://storage')
    const body = await buffer(request)
    const call = `${request.method} ${url.pathname}${url.searchParams.has('uploadId') ? ' upload' : ''}`
    calls.push(call)
    const fault = signatureFault(request, url, body)
    if (fault !== null) return refuse(response, 403, fault)
    if (failing.times > 0 && failing.matching.test(call)) {
      failing.times--
      const isCompletion = request.method === 'POST' && url.searchParams.has('uploadId')
      return refuse(response, ...(failing.refusal ?? [isCompletion ? 200 : 500, 'InternalError']))
    }
    const [, bucket, ...rest] = url.pathname.split('/')
    if (bucket !== S3_BUCKET) return refuse(response, 404, 'NoSuchBucket')
    await serve(stored, request, response, { url, body, key: rest.join('/') })
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ...stored,
    calls,
    fail: (times, matching = /./, refusal) => {
      failing = { times, matching, refusal }
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function serve(
  { objects, uploads }: Stored,
  request: IncomingMessage,
  response: ServerResponse,
  { url, body, key }: { url: URL; body: Buffer; key: string },
): Promise<void> {
  const uploadId = url.searchParams.get('uploadId')
  const upload = uploadId === null ? undefined : uploads.get(uploadId)
  const type = request.headers['content-type'] ?? 'binary/octet-stream'
  if (uploadId !== null && upload === undefined) return refuse(response, 404, 'NoSuchUpload')
  if (upload === undefined && request.method === 'POST') {
    const id = `upload-${uploads.size + 1}`
    uploads.set(id, { type, parts: new Map() })
    response.end(`<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`)
  } else if (upload === undefined && request.method === 'PUT') {
    objects.set(key, { bytes: body, type })
    response.writeHead(200, { ETag: computeEtag(body) }).end()
  } else if (upload === undefined && request.method === 'DELETE') {
    objects.delete(key)
    response.writeHead(204).end()
  } else if (upload === undefined) {
    const object = objects.get(key)
    if (object === undefined) return refuse(response, 404, 'NoSuchKey')
    const given = (name: string, other: string) => url.searchParams.get(`response-${name}`) ?? other
    response.setHeader('Content-Type', given('content-type', object.type))
    response.setHeader('Content-Disposition', given('content-disposition', 'inline'))
    response.end(object.bytes)
  } else if (request.method === 'PUT') {
    upload.parts.set(Number(url.searchParams.get('partNumber')), body)
    response.writeHead(200, { ETag: computeEtag(body) }).end()
  } else {
    uploads.delete(uploadId ?? '')
    if (request.method === 'DELETE') return void response.writeHead(204).end()
    const parts = [...String(body).matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>([^<]+)<\/ETag>/g)]
    const all = parts.map(([, number]) => upload.parts.get(Number(number)) ?? Buffer.alloc(0))
    const wrong = parts.some(([, , etag], at) => etag !== computeEtag(all[at] ?? Buffer.alloc(0)))
    const small = all.slice(0, -1).some((part) => part.length < 5 * 2 ** 20)
    if (wrong || small || all.length !== upload.parts.size) return refuse(response, 400, 'InvalidPart')
    objects.set(key, { bytes: Buffer.concat(all), type: upload.type })
    response.end('<CompleteMultipartUploadResult/>')
  }
}

const computeEtag = (body: Buffer): string => `"${createHash('md5').update(body).digest('hex')}"`

function refuse(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status, { 'Content-Type': 'application/xml' }).end(`<Error><Code>${code}</Code></Error>`)
}

/** Checks the signature in a request's headers or URL. Returns the error code; null if the signature is valid. */
function signatureFault(request: IncomingMessage, url: URL, body: Buffer): string | null {
  const header = request.headers.authorization
  const fields =
    header === undefined
      ? url.searchParams
      : new URLSearchParams(header.replace(/^\S+ /, '').replaceAll(', ', '&').replaceAll('+', '%2B'))
  const field = (name: string): string => fields.get(header === undefined ? `X-Amz-${name}` : name) ?? ''
  const date = header === undefined ? field('Date') : String(request.headers['x-amz-date'])
  const [key, day = '', region = '', service = ''] = field('Credential').split('/')
  if (key !== S3_KEYS.accessKeyId) return 'InvalidAccessKeyId'
  if (region !== REGION || service !== 's3' || day !== date.slice(0, 8)) return 'AuthorizationHeaderMalformed'
  const payload = header === undefined ? 'UNSIGNED-PAYLOAD' : String(request.headers['x-amz-content-sha256'])
  if (header !== undefined && payload !== sha256(body)) return 'XAmzContentSHA256Mismatch'
  const ageMs = Date.now() - Date.parse(date.replace(/(....)(..)(..T..)(..)(..)/, '$1-$2-$3:$4:$5'))
  if (header === undefined && ageMs > Number(field('Expires')) * 1_000) return 'AccessDenied'
  const signed = field('SignedHeaders').split(';')
  const canonical = [
    request.method,
    url.pathname
      .split('/')
      .map((part) => escaped(decodeURIComponent(part)))
      .join('/'),
    [...url.searchParams]
      .filter(([name]) => name !== 'X-Amz-Signature')
      .map(([name, value]) => `${escaped(name)}=${escaped(value)}`)
      .sort()
      .join('&'),
    ...signed.map((name) => `${name}:${String(request.headers[name] ?? '').trim()}`),
    '',
    signed.join(';'),
    payload,
  ].join('\n')
  const scope = [day, region, service, 'aws4_request'].join('/')
  const text = ['AWS4-HMAC-SHA256', date, scope, sha256(Buffer.from(canonical))].join('\n')
  const signingKey = [day, region, service, 'aws4_request'].reduce<Buffer>(
    (secret, part) => createHmac('sha256', secret).update(part).digest(),
    Buffer.from(`AWS4${S3_KEYS.secretAccessKey}`),
  )
  const right = createHmac('sha256', signingKey).update(text).digest('hex')
  return field('Signature') === right ? null : 'SignatureDoesNotMatch'
}

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

function escaped(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`)
}

/** Returns the settings of a service that stores its reports here. */
export function s3Settings(url: string): Record<string, string> {
  return {
    LAUREL_REPORT_S3_ENDPOINT: url,
    LAUREL_REPORT_S3_REGION: REGION,
    LAUREL_REPORT_S3_BUCKET: S3_BUCKET,
    LAUREL_REPORT_S3_ACCESS_KEY_ID: S3_KEYS.accessKeyId,
    LAUREL_REPORT_S3_SECRET_ACCESS_KEY: S3_KEYS.secretAccessKey,
  }
}
