import { basename } from 'node:path'
import type { Command } from 'commander'
import { importCodes } from '../../src/catalog/allowances/index.ts'
import { createCatalogStore } from '../../src/catalog/catalog/index.ts'
import { toDay } from '../../src/platform/calendar.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { countPools } from '../../src/purchases/transactions/index.ts'
import type { Environment } from '../../src/tenants/publishers/index.ts'
import type { By } from '../actor.ts'
import { defineChange, defineCommand } from '../define.ts'
import { UserError } from '../errors.ts'
import { type Encoded, readText, withEncoding } from '../files.ts'
import { parseChoice } from '../options.ts'
import { shell } from '../shell.ts'
import { type Storage, withChanges, withStorage } from '../storage.ts'
import { answer, answerJson, formatCount, note, styled } from '../terminal.ts'
import { readCodes } from '../vouchers/codes.ts'

type Options = { readonly offer: string; readonly json?: true }

const ENVIRONMENTS = ['production', 'sandbox'] as const satisfies readonly Environment[]

export function define(vouchers: Command): void {
  withEncoding(
    defineChange(
      vouchers,
      'import',
      "add codes to an offer's pool; codes it already has are unchanged and listed by line",
    ),
  )
    .argument('<file>', 'one code per line, or a table with the columns code and expires_on (yyyy-MM-dd)')
    .requiredOption('--offer <offer_uid>', 'an offer with unique_codes')
    .requiredOption(
      '--environment <environment>',
      'environment of the users who get them: production or sandbox',
      parseChoice(...ENVIRONMENTS),
    )
    .action(importFile)
  defineCommand(
    vouchers,
    'show',
    'how many codes of an offer are free, assigned, reported, redeemed, returned and expired',
  )
    .requiredOption('--offer <offer_uid>', 'an offer with unique_codes')
    .action(show)
}

// Commits each batch separately, because sealing codes takes time. The entire file has been validated by then, so an
// invalid code cannot leave a partial import behind.
const BATCH = 1_000
// Enough to show what is wrong with a file.
const LINES_NAMED = 20

async function importFile(
  file: string,
  { offer, environment, encoding, by, json }: Options & By & Encoded & { readonly environment: Environment },
): Promise<void> {
  const codes = readCodes(await readText(file, encoding))
  const known: number[] = []
  let added = 0
  let duplicates = 0
  const entry = { action: 'codes.imported', subject: offer, after: { environment, file: basename(file) } }
  await withChanges(by, entry, async (storage) => {
    await checkOffer(storage, offer)
    const { db, vault } = storage
    for (let begin = 0; begin < codes.length; begin += BATCH) {
      const batch = codes.slice(begin, begin + BATCH)
      const found = await db.transaction((tx) =>
        importCodes(tx, vault, { offerUid: offer, environment }, batch, systemClock.now()),
      )
      added += batch.length - found.length
      duplicates += found.length
      known.push(...found.slice(0, LINES_NAMED - known.length).map((index) => batch[index]?.line ?? 0))
      if (shell().stderr.isTTY) note(`${formatCount(added + duplicates, 'code')} read`)
    }
  })
  if (json) return answerJson({ offer_uid: offer, environment, added, duplicates, duplicate_lines: known })
  answer(`${styled('green', formatCount(added, 'code'))} added to the pool of ${offer} for ${environment}.`)
  if (duplicates > 0)
    answer(`${duplicates} ${duplicates === 1 ? 'was' : 'were'} already there: ${formatLines(known, duplicates)}.`)
}

function formatLines(lines: readonly number[], all: number): string {
  return `${lines.length === 1 ? 'line' : 'lines'} ${lines.join(', ')}${all > lines.length ? ' and more' : ''}`
}

async function show({ offer, json }: Options): Promise<void> {
  const pools = await withStorage(async (storage) => {
    await checkOffer(storage, offer)
    return countPools(storage.db.reader, offer, toDay(systemClock.now(), 'UTC'))
  })
  if (json) return answerJson({ offer_uid: offer, pools })
  for (const { environment, ...counts } of pools) {
    const words = Object.entries(counts).map(([status, codes]) => `${codes} ${status}`)
    answer(`${environment}: ${words.join(', ')}`)
  }
}

/** @throws UserError if the offer does not exist or has no pool */
async function checkOffer({ db }: Storage, offerUid: string): Promise<void> {
  const found = (await createCatalogStore(db).current()).offers.get(offerUid)
  if (found === undefined) throw new UserError(`There is no offer ${offerUid}.`)
  if (!found.conditions.uniqueCodes) throw new UserError(`The offer ${offerUid} has no unique_codes in the catalog.`)
}
