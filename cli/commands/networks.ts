import type { Command } from 'commander'
import { FORMAT_NAMES } from '../../src/sources/affiliate/index.ts'
import { readName } from '../actor.ts'
import { defineChange, defineCommand } from '../define.ts'
import { withEncoding } from '../files.ts'
import { fetchReports, importFile, stopFetching } from '../networks/reports.ts'
import { listAll, setDays, setFieldsAndFormat, setSecret, setWindow } from '../networks/settings.ts'
import { assign, dismiss, listUnknown, SHOWN } from '../networks/unknown.ts'
import { parseChoice, parseWholeNumber, readPublisherId } from '../options.ts'

const NAME = 'its name, as in POST /postbacks/{network}'
const SHOWN_MAX = 1_000
const MINUTES_MAX = 10_080
const DAYS_MAX = 365
const PAGE_DAYS_MAX = 92

export function define(networks: Command): void {
  settings(networks)
  reports(networks)
  unknown(networks)
}

function settings(networks: Command): void {
  defineCommand(
    networks,
    'list',
    'list the networks, how they report, and the last success and error of fetched reports',
  ).action(listAll)
  defineChange(networks, 'secret', "set the secret that a network's postbacks must carry, from stdin or generated")
    .argument('<network>', NAME)
    .action(setSecret)
  defineChange(networks, 'format', "set the format of a network's postbacks and reports")
    .argument('<network>', NAME)
    .argument('<format>', FORMAT_NAMES.join(', '), parseChoice(...FORMAT_NAMES))
    .option('--fields <file>', 'JSON object of the field names that differ, such as {"sub_id": "SubId2"}')
    .action(setFieldsAndFormat)
  defineChange(
    networks,
    'lock-days',
    'set the number of days within which the network approves or rejects a sale; default 90',
  )
    .argument('<network>', NAME)
    .argument('<days>', '1 to 365', Number)
    .action(setDays)
  defineChange(
    networks,
    'window',
    'set the number of days after a click during which a sale is credited to it; default 30',
  )
    .argument('<network>', NAME)
    .argument('<days>', '1 to 90', Number)
    .action(setWindow)
}

function reports(networks: Command): void {
  withEncoding(
    defineChange(networks, 'import', "import a network's report; rows that are already known change nothing"),
  )
    .argument('<network>', NAME)
    .argument('<file>', 'CSV (with commas, semicolons or tabs) or JSON, as the network exports it')
    .option('--dry-run', 'only check that every row can be read')
    .action(importFile)
  defineChange(networks, 'fetch', "start fetching a network's reports regularly")
    .argument('<network>', NAME)
    .argument('<address>', 'https URL with {from} and {to}, the first and last day of a page')
    .option('--body <file>', 'request body to POST, which may contain {from} and {to}')
    .option('--header <name>', 'the header that authorizes the call', 'Authorization')
    .option('--secret-file <file>', 'value of that header, such as Bearer …; stored sealed')
    .option('--every <minutes>', 'how often (default: 360)', parseWholeNumber(MINUTES_MAX))
    .option('--days <days>', 'how far back (default: 90)', parseWholeNumber(DAYS_MAX))
    .option('--page-days <days>', 'how many days at a time (default: 30)', parseWholeNumber(PAGE_DAYS_MAX))
    .action(fetchReports)
  defineChange(networks, 'stop-fetching', "stop fetching a network's reports")
    .argument('<network>', NAME)
    .action(stopFetching)
}

function unknown(networks: Command): void {
  defineCommand(
    networks,
    'unknown',
    'list reported sales that match no click, and rejections of unknown orders; they earn nothing',
  )
    .option('--network <name>', 'only for this network')
    .option('--limit <count>', `maximum number, newest first (default: ${SHOWN})`, parseWholeNumber(SHOWN_MAX))
    .action(listUnknown)
  decision(defineCommand(networks, 'assign', "credit a reported sale to the user's last click on an offer before it"))
    .requiredOption('--publisher <id>', 'the publisher of the user (pub_…)', readPublisherId)
    .requiredOption('--user <publisher_user_id>', "the publisher's identifier for the user")
    .requiredOption('--offer <offer_uid>', 'the offer')
    .action(assign)
  decision(defineCommand(networks, 'dismiss', 'remove a reported sale from the list; it earns nothing')).action(dismiss)
}

function decision(command: Command): Command {
  return command
    .argument('<postback>', 'the report (pbk_…), as listed by `networks unknown`')
    .requiredOption('--by <who>', 'name of the person who decides, stored with the decision', readName)
    .requiredOption('--reason <text>', 'the reason, stored with the decision')
    .option('--json', 'print one JSON object')
}
