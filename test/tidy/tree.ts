import { glob, readFile } from 'node:fs/promises'
import { sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Document } from './documents.ts'
import { readSource, type Source } from './source.ts'

export const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const FOLDERS = '{src,cli,console,simulator,scripts,bench,test}'

/** Reads every TypeScript and JavaScript file in these folders except the generated one. */
export async function readSources(): Promise<Source[]> {
  const files = await readAll([`${FOLDERS}/**/*.{ts,tsx,mjs,js}`], (path) => path === 'console/src/api/schema.d.ts')
  return files.map(({ path, text }) => readSource(path, text))
}

/** Reads every other text file in the project: documents, SQL and tool settings. */
export async function readDocuments(): Promise<Document[]> {
  return readAll(
    ['*.{md,json}', 'laurel', `{docs,db}/**/*.{md,sql}`, `${FOLDERS}/**/*.{md,css,html,txt}`],
    (path) => path === 'package-lock.json',
  )
}

async function readAll(patterns: readonly string[], leaveOut: (path: string) => boolean = () => false) {
  const files: Document[] = []
  for (const pattern of patterns) {
    for await (const found of glob(pattern, { cwd: ROOT })) {
      const path = found.split(sep).join('/')
      if (!leaveOut(path)) files.push({ path, text: await readFile(new URL(`../../${path}`, import.meta.url), 'utf8') })
    }
  }
  return files.sort((a, b) => (a.path < b.path ? -1 : 1))
}
