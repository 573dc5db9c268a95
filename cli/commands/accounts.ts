import type { Command } from 'commander'
import type { PublisherId } from '../../src/platform/ids.ts'
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
import type { By } from '../actor.ts'
import { defineChange, defineCommand } from '../define.ts'
import { parseChoice, readAccountId, readPublisherId, usage } from '../options.ts'
import { changeAs, withStorage } from '../storage.ts'
import { answer, answerJson, answerTable, note } from '../terminal.ts'

export function define(accounts: Command): void {
  withCompany(defineChange(accounts, 'invite', 'invite a person to the console by email'))
    .argument('<email>', "the person's email address")
    .option('--role <role>', `${ROLES.join(', ')} (default: read-only)`, parseChoice(...ROLES))
    .action(invite)
  withCompany(defineCommand(accounts, 'list', 'list the people who sign in to the console')).action(list)
  withCompany(defineChange(accounts, 'disable', 'sign a person out and prevent them from signing in again'))
    .argument('<account-id>', ACCOUNT, readAccountId)
    .action((id: AccountId, options: Options & By) => setDisabled(id, true, options))
  withCompany(defineChange(accounts, 'enable', 'let a person whose account was disabled sign in again'))
    .argument('<account-id>', ACCOUNT, readAccountId)
    .action((id: AccountId, options: Options & By) => setDisabled(id, false, options))
  withCompany(defineChange(accounts, 'link', 'print a link that signs in a locked-out person once'))
    .argument('<account-id>', ACCOUNT, readAccountId)
    .action(link)
}

type Options = { readonly publisher?: PublisherId; readonly json?: true }

const ACCOUNT = 'the account (acc_…), as listed by `accounts list`'

function withCompany(command: Command): Command {
  return command
    .option('--publisher <id>', 'of this publisher (pub_…); default: of the operating company', readPublisherId)
    .option('--json', 'print one JSON object')
}

async function invite(email: string, options: Options & By & { readonly role?: Role }): Promise<void> {
  const { role = 'read-only', by, json } = options
  const company = parseCompany(options, role)
  const person = await changeAs(by, (tx, { actor, now }) => invitePerson(tx, { ...company, email }, actor, now))
  const shown = PERSON.present(person)
  if (json) return answerJson(shown)
  answer(`account_id  ${shown.account_id}`)
  note('The running service sends the email. Without a mail server, it writes the email to a file in the data folder.')
}

function parseCompany({ publisher: publisherId }: Options, role: Role) {
  if (publisherId === undefined) return { publisherId: null, role }
  const ofStaff = STAFF_ROLES.find((one) => one === role)
  if (ofStaff === undefined) throw usage(`A publisher's staff must have the role ${STAFF_ROLES.join(', ')}.`)
  return { publisherId, role: ofStaff }
}

async function list({ json, publisher }: Options): Promise<void> {
  const people = await withStorage(({ db }) => listPeople(db.reader, publisher ?? null))
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

async function setDisabled(accountId: AccountId, disabled: boolean, options: Options & By): Promise<void> {
  const { by, json, publisher } = options
  const target = { accountId, publisherId: publisher ?? null }
  const person = await changeAs(by, (tx, { actor, now }) => changePerson(tx, { ...target, disabled }, actor, now))
  const shown = PERSON.present(person)
  if (json) return answerJson(shown)
  answer(`${shown.email} is ${shown.status}.`)
}

async function link(accountId: AccountId, { by, json, publisher }: Options & By): Promise<void> {
  const target = { accountId, publisherId: publisher ?? null }
  const token = await changeAs(by, (tx, { actor, now }) => linkFor(tx, target, actor, now))
  const path = `/console/enter#${token}`
  if (json) return answerJson({ path })
  answer(path)
  note("Open it at the service's URL within a day. It works once.")
}
