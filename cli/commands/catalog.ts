import { extname } from 'node:path'
import type { Command } from 'commander'
import { importCatalog } from '../../src/catalog/index.ts'
import { Refusal } from '../../src/platform/refusal.ts'
import { UserError } from '../errors.ts'
import { readText } from '../files.ts'
import { answer, answerJson } from '../terminal.ts'
import { withWorkplace } from '../workplace.ts'

export function catalogCommands(program: Command): void {
  program
    .command('catalog')
    .description('brands, categories and offers')
    .command('import')
    .description('take in a catalog file, whole or not at all; the same file again changes nothing')
    .argument('<file>', 'JSON or CSV in the field names of the interface')
    .option('--check', 'only look for faults')
    .option('--json', 'print one JSON object')
    .action(importFile)
}

async function importFile(
  file: string,
  { check = false, json }: { readonly check?: boolean; readonly json?: true },
): Promise<void> {
  const text = await readText(file)
  const format = /^\.json$/i.test(extname(file)) || (extname(file) === '' && /^\s*\{/.test(text)) ? 'json' : 'csv'
  const counts = await withWorkplace(({ db }) => importCatalog(db, { format, text }, { check })).catch(
    (error: unknown) => {
      throw error instanceof Refusal && error.code === 'catalog_invalid'
        ? faulty(error, { check, json: json ?? false })
        : error
    },
  )
  if (json) return answerJson({ ok: true, checked_only: check, ...counts })
  const held = `${counts.categories} categories, ${counts.brands} brands and ${counts.offers} offers`
  answer(check ? `${file} is right: ${held}. Nothing was imported (--check).` : `Imported ${held}.`)
}

type Fault = { readonly line: number; readonly path: string; readonly message: string }

function faulty(refusal: Refusal, { check, json }: { readonly check: boolean; readonly json: boolean }): UserError {
  const faults = (refusal.members['faults'] ?? []) as readonly Fault[]
  if (json) answerJson({ ok: false, checked_only: check, faults })
  return new UserError(`Nothing was imported: the file has ${faults.length === 1 ? 'a fault' : 'faults'}.`, {
    details: faults.map(({ line, path, message }) => `line ${line}${path === '' ? '' : `, ${path}`}: ${message}`),
  })
}
