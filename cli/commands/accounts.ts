import type { Command } from 'commander'
import { systemClock } from '../../src/platform/clock.ts'
import { decodeId } from '../../src/platform/ids.ts'
import {
  type AccountId,
  changePerson,
  invitePerson,
  linkFor,
  listPeople,
  PERSON,
  ROLES,
  type Role,
  STAFF_ROLES,
} from '../../src/tenants/accounts/index.ts'
import { type By, withBy } from '../actor.ts'
import { parseChoice, readPublisherId, usage } from '../options.ts'
import { withChanges, withStorage } from '../storage.ts'
import { answer, answerJson, answerTable, note } from '../terminal.ts'

export function define(accounts: Command): void {
  withCompany(withBy(accounts.command('invite')))
    .description('invite a person to the console by e-mail')
    .argument('<email>', "the person's e-mail address")
    .option('--role <role>', `${ROLES.join(', ')} (default: read-only)`, parseChoice(...ROLES))
    .action(invite)
  withCompany(accounts.command('list')).description('list the people who sign in to the console').action(list)
  withCompany(withBy(accounts.command('disable')))
    .description('sign a person out and prevent them from signing in again')
    .argument('<account-id>', 'the account (acc_…), as listed by `accounts list`')
    .action((id: string, options: Options & By) => setDisabled(id, true, options))
  withCompany(withBy(accounts.command('enable')))
    .description('let a disabled person sign in again')
    .argument('<account-id>', 'the account (acc_…), as listed by `accounts list`')
    .action((id: string, options: Options & By) => setDisabled(id, false, options))
  withCompany(withBy(accounts.command('link')))
    .description('print a link that signs in a locked-out person once')
    .argument('<account-id>', 'the account (acc_…), as listed by `accounts list`')
    .action(link)
}

type Options = { readonly publisher?: string; readonly json?: true }

function withCompany(command: Command): Command {
  return command
    .option('--publisher <id>', 'of this publisher (pub_…); default: of the operating company')
    .option('--json', 'print one JSON object')
}

async function invite(email: string, options: Options & By & { readonly role?: Role }): Promise<void> {
  const { role = 'read-only', by, json } = options
  const company = parseCompany(options, role)
  const person = await withChanges(by, null, ({ db }, actor) =>
    db.transaction((tx) => invitePerson(tx, { ...company, email }, actor, systemClock.now())),
  )
  const shown = PERSON.present(person)
  if (json) return answerJson(shown)
  answer(`account_id  ${shown.account_id}`)
  note(
    'The running service sends the e-mail. Without a mail server, it writes the e-mail to a file in the data folder.',
  )
}

function parseCompany(options: Options, role: Role) {
  const publisherId = parsePublisherOption(options)
  if (publisherId === null) return { publisherId, role }
  const ofStaff = STAFF_ROLES.find((one) => one === role)
  if (ofStaff === undefined) throw usage(`A publisher's staff must have the role ${STAFF_ROLES.join(', ')}.`)
  return { publisherId, role: ofStaff }
}

async function list({ json, ...options }: Options): Promise<void> {
  const people = await withStorage(({ db }) => listPeople(db.reader, parsePublisherOption(options)))
  const shown = people.map(PERSON.present)
  if (json) return answerJson({ accounts: shown })
  if (shown.length === 0) return note('There are no accounts yet. Invite someone with `laurel accounts invite`.')
  const columns = ['account_id', 'email', 'name', 'role', 'status', 'second factor', 'last used']
  const rows = shown.map((one) => [
    ...[one.account_id, one.email, one.name, one.role, one.status, one.has_totp ? 'app' : ''],
    one.last_used_at?.slice(0, 10) ?? '',
  ])
  answerTable(columns, rows)
}

async function setDisabled(id: string, disabled: boolean, { by, json, ...options }: Options & By): Promise<void> {
  const target = { accountId: readAccountId(id), publisherId: parsePublisherOption(options) }
  const person = await withChanges(by, null, ({ db }, actor) =>
    db.transaction((tx) => changePerson(tx, { ...target, disabled }, actor, systemClock.now())),
  )
  const shown = PERSON.present(person)
  if (json) return answerJson(shown)
  answer(`${shown.email} is ${shown.status}.`)
}

async function link(id: string, { by, json, ...options }: Options & By): Promise<void> {
  const target = { accountId: readAccountId(id), publisherId: parsePublisherOption(options) }
  const token = await withChanges(by, null, ({ db }, actor) =>
    db.transaction((tx) => linkFor(tx, target, actor, systemClock.now())),
  )
  const path = `/console/enter#${token}`
  if (json) return answerJson({ path })
  answer(path)
  note("Open it at the service's URL within a day. It works once.")
}

function parsePublisherOption({ publisher }: Options) {
  return publisher === undefined ? null : readPublisherId(publisher)
}

function readAccountId(text: string): AccountId {
  const accountId = decodeId<'account'>('acc', text)
  if (accountId === null)
    throw usage(`"${text}" is not an account id (acc_…). List them with \`laurel accounts list\`.`)
  return accountId
}
