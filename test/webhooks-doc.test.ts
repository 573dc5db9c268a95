import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, type TestContext, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { newSecret, prepareKey, signHeaders } from '../src/events/delivery/signing.ts'

// Runs the examples in docs/webhooks.md on webhooks that are signed as the service signs them.

const document = await readFile(new URL('../docs/webhooks.md', import.meta.url), 'utf8')
const folder = await mkdtemp(join(tmpdir(), 'laurel-webhooks-doc-'))
after(() => rm(folder, { recursive: true }))

const [secret, nextSecret] = [newSecret(), newSecret()]
const id = 'evt_01h455vb4pex5vsknk084sn02q'
const body = JSON.stringify({ id, type: 'user.created', data: { name: 'Ünïcödé ☃' } })
const now = Math.floor(Date.now() / 1000)
const sign = (secrets: readonly string[], at: number) => signHeaders(secrets.map(prepareKey), id, at, body)
const good = sign([secret], now)

type Row = { readonly headers: Record<string, string>; readonly body: string; readonly isGood: boolean }
const rows: readonly Row[] = [
  { headers: good, body, isGood: true },
  { headers: sign([nextSecret, secret], now), body, isGood: true },
  { headers: sign([secret, nextSecret], now), body, isGood: true },
  { headers: sign([nextSecret], now), body, isGood: false },
  { headers: good, body: `${body} `, isGood: false },
  { headers: { ...good, 'webhook-id': `${id}x` }, body, isGood: false },
  { headers: { ...good, 'webhook-timestamp': String(now + 1) }, body, isGood: false },
  { headers: sign([secret], now - 400), body, isGood: false },
  { headers: sign([secret], now + 400), body, isGood: false },
  { headers: sign([secret], Number.NaN), body, isGood: false },
  { headers: { ...good, 'webhook-signature': 'v1,short' }, body, isGood: false },
  { headers: {}, body, isGood: false },
]
const expected = rows.map(({ isGood }) => (isGood ? id : null))

test('the TypeScript example accepts only webhooks signed recently with the secret', async () => {
  const file = join(folder, 'receiver.ts')
  await writeFile(file, exampleIn('ts'))
  const { verifiedEvent } = await import(pathToFileURL(file).href)
  const found = rows.map((row) => {
    try {
      return verifiedEvent(secret, new Headers(row.headers), row.body).id
    } catch {
      return null
    }
  })
  assert.deepEqual(found, expected)
})

test('the Python example does the same, if Python is installed', async (context) => {
  const program = `${exampleIn('python')}
import sys
def found(row):
    try:
        return verified_event(${JSON.stringify(secret)}, row["headers"], row["body"].encode())["id"]
    except ValueError:
        return None
print(json.dumps([found(row) for row in json.load(sys.stdin)]))
`
  const printed = await python(context, program, JSON.stringify(rows))
  if (printed !== null) assert.deepEqual(JSON.parse(printed), expected)
})

function exampleIn(language: string): string {
  const [, code] = new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 's').exec(document) ?? []
  assert(code, `an example in ${language}`)
  return code
}

/** Returns the output of a Python program; null if Python is missing, because nothing else needs it. */
async function python(context: TestContext, program: string, input: string): Promise<string | null> {
  const child = spawn('python3', ['-c', program], { stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.on('error', () => undefined)
  child.stdin.end(input)
  try {
    const [printed] = await Promise.all([text(child.stdout), once(child, 'spawn')])
    return printed
  } catch (error) {
    assert.equal((error as NodeJS.ErrnoException).code, 'ENOENT')
    context.diagnostic('python3 is not installed')
    return null
  }
}
