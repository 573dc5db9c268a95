import { createHash } from 'node:crypto'
import { OPENAPI_FILE } from '../src/platform/openapi/reference.ts'
import { REFUSALS } from '../src/refusals.ts'
import { unstartedApp } from '../test/support/injected-app.ts'

/** The content of /openapi.json, formatted so that a review shows how a change affects callers. */
export const DOCUMENT = OPENAPI_FILE
/** The types of the console's client, generated from the document. */
export const CLIENT = new URL('../console/src/api/schema.d.ts', import.meta.url)

/** The reference page for all error codes: cause and remedy. */
export const PROBLEMS = new URL('../docs/reference/problems.md', import.meta.url)

/** Generates the OpenAPI document from the code. */
export async function currentDocument(databaseUrl: string): Promise<string> {
  const { app, close } = await unstartedApp(databaseUrl)
  try {
    return JSON.stringify({ ...(await app.makeOpenapi()), servers: [{ url: 'http://127.0.0.1' }] })
  } finally {
    await close()
  }
}

export function inLines(document: string): string {
  return `${JSON.stringify(JSON.parse(document), null, 2)}\n`
}

/** Builds the first line of the client, which identifies the document it was generated from. */
export function buildHeading(document: string): string {
  const hash = createHash('sha256').update(document).digest('hex')
  return `// Written by \`npm run openapi\` from docs/reference/openapi.json, sha256 ${hash}.`
}

const PROBLEMS_INTRODUCTION = `# Problems

<!-- Written by \`npm run openapi\` from src/refusals.ts. -->

Every refusal is a problem body ([RFC 9457](https://www.rfc-editor.org/rfc/rfc9457)) with a \`code\`. Branch on the
code: titles and details are for people and may change. \`type\` is the URL of a page about the code, which a running
service serves at \`/problems/CODE\`. On 400, \`errors[]\` names the invalid fields. The [API reference](openapi.json)
lists the codes that each operation can return.

| code | status | cause | what to do |
|---|---|---|---|
`

/** Generates the reference page for all error codes. */
export function problemsDocument(): string {
  const rows = Object.entries(REFUSALS)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([code, { status, cause, remedy }]) => `| \`${code}\` | ${status} | ${cause} | ${remedy} |\n`)
  return PROBLEMS_INTRODUCTION + rows.join('')
}
