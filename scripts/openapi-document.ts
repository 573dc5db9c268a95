import { createHash } from 'node:crypto'
import { unstartedApp } from '../test/support/injected-app.ts'

/** What /openapi.json answers, in lines, so that a review sees what a change of the code changes for callers. */
export const DOCUMENT = new URL('../docs/reference/openapi.json', import.meta.url)
/** The types of the client of the console, generated from it. */
export const CLIENT = new URL('../console/src/api/schema.d.ts', import.meta.url)

/** The document as the service serves it. */
export async function servedDocument(databaseUrl: string): Promise<string> {
  const { app, close } = await unstartedApp(databaseUrl)
  try {
    const { statusCode, body } = await app.inject('/openapi.json')
    if (statusCode !== 200) throw new Error(`/openapi.json answers ${statusCode}: ${body}`)
    return body
  } finally {
    await close()
  }
}

export function inLines(document: string): string {
  return `${JSON.stringify(JSON.parse(document), null, 2)}\n`
}

/** The first line of the client: of which document it is. */
export function headingOf(document: string): string {
  const hash = createHash('sha256').update(document).digest('hex')
  return `// Written by \`npm run openapi\` from docs/reference/openapi.json, sha256 ${hash}.`
}
