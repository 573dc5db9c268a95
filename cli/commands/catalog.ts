import { extname } from 'node:path'
import type { Command } from 'commander'
import {
  EXPORT_FORMATS,
  type ExportFormat,
  exportCatalog,
  type ImportOutcome,
  importCatalog,
  listFieldChanges,
  listVersions,
  type OfferVersion,
} from '../../src/catalog/catalog/index.ts'
import { Refusal } from '../../src/platform/refusal.ts'
import type { By } from '../actor.ts'
import { formatDiff, formatFieldChange } from '../catalog/diff.ts'
import { openCatalogFile } from '../catalog/input.ts'
import { defineChange, defineCommand } from '../define.ts'
import { UserError } from '../errors.ts'
import { type Encoded, withEncoding, writeWhole } from '../files.ts'
import { parseChoice, usage } from '../options.ts'
import { createProgressBar } from '../progress.ts'
import { withChanges, withStorage } from '../storage.ts'
import { answer, answerJson, formatCount, note, printOut } from '../terminal.ts'

export function define(catalog: Command): void {
  withEncoding(
    defineChange(catalog, 'import', 'import a catalog file, all or nothing; importing it again changes nothing'),
  )
    .argument('<file>', 'JSON, JSON Lines (.jsonl, of any size) or CSV with the field names of the API')
    .option('--dry-run', 'show what would change without changing it')
    .option('--check', 'only check the file')
    .option('--replace', 'retire every brand and offer that is not in the file; requires --yes')
    .option('--yes', 'confirm --replace')
    .addHelpText('after', FAULTS)
    .action(importFile)
  defineCommand(catalog, 'export', 'export the whole catalog in the import format')
    .argument('[file]', 'the file to write; default: stdout')
    .option(
      '--format <format>',
      `${EXPORT_FORMATS.join(', ')}; default: by the file's extension`,
      parseChoice(...EXPORT_FORMATS),
    )
    .action(exportTo)
  defineCommand(catalog, 'history', 'show all versions of an offer: what changed, when and by whom')
    .argument('<offer-uid>', 'the offer')
    .action(history)
}

// The fields of a malformed brand cannot be checked.
const FAULTS = `
All errors are reported together, up to 50, with one exception: if a brand has the
wrong shape (a member is missing, misspelled or of the wrong type), only its category is
checked further. The rest is checked once the shape is right.`

type Import = {
  readonly dryRun?: true
  readonly check?: true
  readonly replace?: true
  readonly yes?: true
  readonly json?: true
}

async function importFile(
  file: string,
  { check, replace, yes, encoding, by, json, ...options }: Import & By & Encoded,
): Promise<void> {
  const dryRun = check === true || options.dryRun === true
  if (replace && !yes && !dryRun)
    throw usage('--replace retires everything that is not in the file. Check with --dry-run first, then add --yes.')
  const { input, progress } = await openCatalogFile(file, encoding)
  const bar = createProgressBar('{bar} {percentage}% | {brands} brands, {offers} offers | {step}')
  bar.start(100, 0, { brands: 0, offers: 0, step: 'reading' })
  const report = (counts: { readonly brands: number; readonly offers: number }): void => {
    const step = progress() < 1 ? 'reading' : 'comparing and writing'
    bar.update(Math.floor(progress() * 100), { ...counts, step })
  }
  const outcome = await withChanges(by, null, ({ db }, actor) =>
    importCatalog(db, input, { actor, dryRun, replace: replace === true, progress: report }),
  )
    .catch((error: unknown) => {
      throw error instanceof Refusal && error.code === 'catalog_invalid'
        ? faulty(error, { checkedOnly: dryRun, json: json === true })
        : error
    })
    .finally(() => bar.stop())
  if (json) return answerJson(presentOutcome(outcome, { checkedOnly: dryRun, showsDiff: options.dryRun ?? false }))
  const held = `${formatCount(outcome.categories, 'category', 'categories')}, ${formatCount(outcome.brands, 'brand')} and ${formatCount(outcome.offers, 'offer')}`
  if (!dryRun) return answer(`Imported ${held}.${formatSums(outcome)}`)
  answer(`${file} is valid: ${held}. Nothing was imported (${check ? '--check' : '--dry-run'}).`)
  if (!check) for (const line of formatDiff(outcome)) answer(line)
}

function formatSums({ changes: { brands, offers } }: ImportOutcome): string {
  const sum = (of: 'added' | 'changed' | 'retired') =>
    `${formatCount(brands[of], 'brand')} and ${formatCount(offers[of], 'offer')} ${of}`
  const nothing = [brands, offers].every((one) => one.added + one.changed + one.retired === 0)
  return nothing ? ' Nothing is new.' : ` ${sum('added')}, ${sum('changed')}, ${sum('retired')}.`
}

function presentOutcome(
  { categories, brands, offers, version, changes, diff }: ImportOutcome,
  { checkedOnly, showsDiff }: { readonly checkedOnly: boolean; readonly showsDiff: boolean },
) {
  return {
    ok: true,
    checked_only: checkedOnly,
    categories,
    brands,
    offers,
    version,
    changes,
    ...(showsDiff ? { diff } : {}),
  }
}

type ShownFault = { readonly line: number; readonly path: string; readonly message: string }

function faulty(
  refusal: Refusal,
  { checkedOnly, json }: { readonly checkedOnly: boolean; readonly json: boolean },
): UserError {
  const faults = (refusal.members['faults'] ?? []) as readonly ShownFault[]
  if (json) answerJson({ ok: false, checked_only: checkedOnly, faults })
  return new UserError(`Nothing was imported: the file has ${faults.length === 1 ? 'an error' : 'errors'}.`, {
    details: faults.map(({ line, path, message }) => `line ${line}${path === '' ? '' : `, ${path}`}: ${message}`),
  })
}

async function exportTo(file: string | undefined, { format }: { readonly format?: ExportFormat }): Promise<void> {
  const chosen = format ?? pickFormat(file)
  await withStorage(({ db }) =>
    db.snapshot((tx) => {
      const texts = exportCatalog(tx, chosen)
      return file === undefined ? printOut(texts) : writeWhole(file, texts)
    }),
  )
  if (file !== undefined) note(`The catalog was written to ${file}.`)
}

function pickFormat(file: string | undefined): ExportFormat {
  if (file === undefined) return 'json'
  const extension = extname(file).slice(1)
  const format = EXPORT_FORMATS.find((known) => known === extension)
  if (format === undefined)
    throw usage(`The file name must end in .${EXPORT_FORMATS.join(' or .')}, or --format must specify the format.`)
  return format
}

async function history(offerUid: string, { json }: { readonly json?: true }): Promise<void> {
  const versions = await withStorage(({ db }) => listVersions(db.reader, offerUid))
  if (versions.length === 0) throw new UserError(`There is no offer ${offerUid}.`)
  const changed = versions.map((one, index) => ({ ...one, changes: changesTo(one, versions[index - 1]) }))
  if (json) {
    const shown = changed.map(({ version, validFrom, changedBy, content, changes }) => ({
      version,
      valid_from: validFrom.toISOString(),
      changed_by: changedBy,
      content,
      changes,
    }))
    return answerJson({ offer_uid: offerUid, versions: shown })
  }
  for (const { version, validFrom, changedBy, changes } of changed) {
    answer(`version ${version}  ${validFrom.toISOString().slice(0, 19).replace('T', ' ')}  ${changedBy}`)
    for (const change of changes) answer(formatFieldChange(change))
  }
}

function changesTo(version: OfferVersion, before: OfferVersion | undefined) {
  return listFieldChanges(before?.content ?? {}, version.content)
}
