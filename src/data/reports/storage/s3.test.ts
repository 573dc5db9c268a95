import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { S3_BUCKET, S3_KEYS, type S3Server, startS3Server } from '../../../../test/support/s3-server.ts'
import { createS3Storage } from './s3.ts'
import { StorageError } from './storage.ts'

let server: S3Server
before(async () => {
  server = await startS3Server()
})
after(() => server.close())

const MIB = 2 ** 20
const storage = (keys: Partial<typeof S3_KEYS> = {}) =>
  createS3Storage({ endpoint: server.url, region: 'eu-central-1', bucket: S3_BUCKET, ...S3_KEYS, ...keys })

/** Splits the bytes into chunks whose size does not divide the part size. */
async function* splitIntoChunks(bytes: Buffer): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 1_000_003) yield bytes.subarray(at, at + 1_000_003)
}
const makeBytes = randomBytes

test('files of any size are stored completely, large ones in parts, and leave no pending upload', async () => {
  for (const length of [0, 1, 8 * MIB - 1, 8 * MIB, 8 * MIB + 1, 16 * MIB, 20 * MIB]) {
    const bytes = makeBytes(length)
    await storage().store(`size/${length}`, splitIntoChunks(bytes), 'text/csv; charset=utf-8')
    const stored = server.objects.get(`size/${length}`)
    assert.deepEqual(stored?.bytes.equals(bytes), true, `${length} bytes`)
    assert.equal(stored?.type, 'text/csv; charset=utf-8')
  }
  assert.equal(server.uploads.size, 0)
})

test('a failed call stores nothing and aborts the upload, even if its status is 200', async () => {
  for (const step of [/^POST \S+$/, /^PUT .* upload$/, /^POST .* upload$/]) {
    server.fail(1, step)
    await assert.rejects(storage().store('failing', splitIntoChunks(makeBytes(9 * MIB)), 'text/csv'), StorageError)
    assert(!server.objects.has('failing'), String(step))
    assert.equal(server.uploads.size, 0, String(step))
  }
  server.fail(1)
  await assert.rejects(storage().store('failing', splitIntoChunks(makeBytes(1)), 'text/csv'), StorageError)
  assert(!server.objects.has('failing'))
})

test('an error while reading rows aborts the upload and is rethrown unchanged', async () => {
  const broken = async function* () {
    yield* splitIntoChunks(makeBytes(17 * MIB))
    throw new RangeError('the rows broke off')
  }
  await assert.rejects(storage().store('broken', broken(), 'text/csv'), RangeError)
  assert.deepEqual([server.uploads.size, server.objects.has('broken')], [0, false])
})

test('removing a missing file succeeds, even if the storage returns an error for it', async () => {
  await storage().remove('nothing')
  server.fail(1, /^DELETE/, [404, 'NoSuchKey'])
  await storage().remove('nothing')
  server.fail(1, /^DELETE/, [404, 'NoSuchBucket'])
  await assert.rejects(storage().remove('nothing'), /404 NoSuchBucket/)
})

test("wrong keys are rejected with the storage's error code, and no error contains a secret", async () => {
  const secretAccessKey = 'another-secret-that-stays-one'
  const refused = await storage({ secretAccessKey })
    .store('refused', splitIntoChunks(makeBytes(1)), 'text/csv')
    .catch((error: unknown) => error)
  assert(refused instanceof StorageError)
  assert.match(refused.message, /403 SignatureDoesNotMatch/)
  assert(!JSON.stringify([refused.message, String(refused.cause), refused.stack]).includes(secretAccessKey))
})

test('removal is idempotent, and a link serves the file under its name until it expires', async () => {
  const { serving, store, remove } = storage()
  assert(serving.by === 'storage')
  await store('linked', splitIntoChunks(Buffer.from('a,b\r\n')), 'text/csv')
  const terms = { seconds: 60, fileName: 'users_2026-11-20.csv', mediaType: 'text/csv; charset=utf-8' }
  const link = await serving.link('linked', terms)
  const response = await fetch(link)
  assert.equal(await response.text(), 'a,b\r\n')
  assert.equal(response.headers.get('content-disposition'), 'attachment; filename="users_2026-11-20.csv"')
  assert.equal(response.headers.get('content-type'), 'text/csv; charset=utf-8')
  for (const forged of [link.replace('linked', 'failing'), link.replace('Expires=60', 'Expires=6000')])
    assert.equal((await fetch(forged)).status, 403, forged)
  assert.equal((await fetch(await serving.link('linked', { ...terms, seconds: -1 }))).status, 403)
  await remove('linked')
  await remove('linked')
  assert.equal((await fetch(link)).status, 404)
})
