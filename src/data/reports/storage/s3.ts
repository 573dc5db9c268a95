import { createHash } from 'node:crypto'
import { AwsClient } from 'aws4fetch'
import { XMLParser } from 'fast-xml-parser'
import type { S3Settings } from '../../../platform/config/config.ts'
import { type ReportStorage, tryStoring } from './storage.ts'

// S3 accepts at most 10,000 parts, each of at least 5 MiB except the last. This size allows reports of 80 GB.
const PART_BYTES = 8 * 1024 * 1024
// Enough to transfer a part at 1 Mbit/s. If a part takes longer, the call fails and the report is retried.
const CALL_MAX_MS = 70_000

/** Stores reports in an S3 or S3-compatible bucket, using path-style addresses. */
export function createS3Storage(settings: S3Settings): ReportStorage {
  const { region, accessKeyId, secretAccessKey } = settings
  // Individual calls are not retried, because failed reports are retried from the start.
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3', retries: 0 })
  const call = createCaller(client, settings)
  return {
    store: async (name, chunks, mediaType) => {
      let upload: Upload | null = null
      try {
        let last: Uint8Array = new Uint8Array()
        for await (const part of splitIntoParts(chunks)) {
          if (last.length > 0) {
            upload ??= await beginUpload(call, name, mediaType)
            await sendPart(call, upload, last)
          }
          last = part
        }
        if (upload === null) return void (await call('PUT', name, { body: last, type: mediaType }))
        if (last.length > 0) await sendPart(call, upload, last)
        await completeUpload(call, upload)
      } catch (error) {
        // If the abort fails too, the bucket's lifecycle rules clean up the upload.
        if (upload !== null) await call('DELETE', name, { query: { uploadId: upload.id } }).catch(() => undefined)
        throw error
      }
    },
    remove: async (name) => void (await call('DELETE', name)),
    serving: {
      by: 'storage',
      link: async (name, { seconds, fileName, mediaType }) => {
        const url = buildAddress(settings, name, {
          'X-Amz-Expires': String(seconds),
          'response-content-disposition': `attachment; filename="${fileName}"`,
          'response-content-type': mediaType,
        })
        return (await client.sign(url, { method: 'GET', aws: { signQuery: true } })).url
      },
    },
  }
}

type Given = { readonly query?: Readonly<Record<string, string>>; readonly body?: Uint8Array; readonly type?: string }
type S3Caller = (
  method: string,
  name: string,
  given?: Given,
) => Promise<{ readonly text: string; readonly etag: string }>

function createCaller(client: AwsClient, settings: S3Settings): S3Caller {
  return (method, name, { query = {}, body = new Uint8Array(), type } = {}) =>
    tryStoring(`${method} to the report storage`, async () => {
      const headers = {
        'X-Amz-Content-Sha256': createHash('sha256').update(body).digest('hex'),
        ...(type === undefined ? {} : { 'Content-Type': type }),
      }
      const sent = method === 'DELETE' ? {} : { body: new Uint8Array(body) }
      const request = await client.sign(buildAddress(settings, name, query), { method, headers, ...sent })
      const response = await fetch(request, { signal: AbortSignal.timeout(CALL_MAX_MS), redirect: 'error' })
      const text = await response.text()
      // Removing a missing file counts as success. S3 returns 204 in that case, but other services return 404.
      const isGone = method === 'DELETE' && response.status === 404 && /^NoSuch(Key|Upload)$/.test(codeIn(text))
      // A failed completion can return 200 with an error in the body.
      if (!isGone && (!response.ok || /<Error>/.test(text))) throw new Error(`${response.status} ${codeIn(text)}`)
      return { text, etag: response.headers.get('etag') ?? '' }
    })
}

function buildAddress({ endpoint, bucket }: S3Settings, name: string, query: Readonly<Record<string, string>>): string {
  const url = new URL(`${endpoint}/${bucket}/${name}`)
  for (const [key, value] of Object.entries(query)) url.searchParams.set(key, value)
  return url.href
}

/** Returns only the code of an error, because its text may quote the request. */
function codeIn(text: string): string {
  return /<Code>(\w{1,60})<\/Code>/.exec(text)?.[1] ?? 'without an error code'
}

type Upload = { readonly name: string; readonly id: string; readonly etags: string[] }

async function beginUpload(call: S3Caller, name: string, type: string): Promise<Upload> {
  const { text } = await call('POST', name, { query: { uploads: '' }, type })
  const id = new XMLParser({ parseTagValue: false }).parse(text)?.InitiateMultipartUploadResult?.UploadId
  return tryStoring('starting an upload', async () => {
    if (typeof id !== 'string' || id === '') throw new Error('the response has no UploadId')
    return { name, id, etags: [] }
  })
}

async function sendPart(call: S3Caller, { name, id, etags }: Upload, body: Uint8Array): Promise<void> {
  const { etag } = await call('PUT', name, { query: { partNumber: String(etags.length + 1), uploadId: id }, body })
  etags.push(etag)
}

async function completeUpload(call: S3Caller, { name, id, etags }: Upload): Promise<void> {
  const parts = etags.map((etag, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>${etag}</ETag></Part>`)
  const body = Buffer.from(`<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`)
  await call('POST', name, { query: { uploadId: id }, body, type: 'application/xml' })
}

/** Splits the bytes into parts of equal size, except for the last part, which is smaller and may be empty. */
async function* splitIntoParts(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let part = Buffer.allocUnsafe(PART_BYTES)
  let used = 0
  for await (const chunk of chunks)
    for (let at = 0; at < chunk.length; ) {
      const taken = Math.min(chunk.length - at, PART_BYTES - used)
      part.set(chunk.subarray(at, at + taken), used)
      at += taken
      used += taken
      if (used < PART_BYTES) continue
      yield part
      part = Buffer.allocUnsafe(PART_BYTES)
      used = 0
    }
  yield part.subarray(0, used)
}
