import type { Command } from 'commander'
import { renderUnicodeCompact } from 'uqr'
import { readConfig } from '../../src/platform/config/config.ts'
import { describeNetworkFault } from '../../src/platform/network-fault.ts'
import { defineCommand } from '../define.ts'
import { UserError } from '../errors.ts'
import { usage } from '../options.ts'
import { findRuntime } from '../runtime.ts'
import { readSandboxKey } from '../sandbox.ts'
import { shell } from '../shell.ts'
import { answer, answerJson, note } from '../terminal.ts'

// The service calls the simulator, which answers within milliseconds.
const CALL_LIMIT_MS = 10_000

export function linkCommand(simulator: Command): void {
  defineCommand(simulator, 'link', 'print a URL at which a sandbox user can link a card')
    .requiredOption('--user <publisher_user_id>', 'the user, who must be registered')
    .option('--repair <institution_id>', 'repair the login at this bank')
    .option('--qr', 'also print the URL as a QR code, for phones')
    .option('--api-key <key>', 'a sandbox API key (default: the one stored by this installation)')
    .action(link)
}

type LinkOptions = {
  readonly user: string
  readonly repair?: string
  readonly qr?: true
  readonly apiKey?: string
  readonly json?: true
}
type HostedAddress = { readonly link_url: string; readonly expiration: string }

/** Prints the address of a hosted link. When the user finishes there, the cards are linked without a further call. */
async function link({ user, repair, qr, apiKey, json }: LinkOptions): Promise<void> {
  const { dataDir } = readConfig(shell().env)
  const running = await findRuntime(dataDir)
  if (running === null) throw new UserError('No service is running here. Start Laurel with `npm start`.')
  const key = apiKey ?? (await readSandboxKey(dataDir))
  if (key === null) throw usage('No sandbox API key is stored here. Pass one with --api-key.')
  const kind = repair === undefined ? 'link-token' : `auth-token/${encodeURIComponent(repair)}`
  const made = await ask(`${running.address}/linker/${kind}/${encodeURIComponent(user)}?hosted=true`, key)
  if (json) return answerJson(made)
  answer(made.link_url)
  if (qr) answer(renderUnicodeCompact(made.link_url))
  note(`Valid until ${made.expiration}. When the user finishes there, the cards are linked automatically.`)
  if (qr && ['127.0.0.1', 'localhost'].includes(new URL(made.link_url).hostname))
    note('Only this machine can open the URL. For phones, start Laurel with SIMULATOR_HOST=0.0.0.0.')
}

async function ask(url: string, key: string): Promise<HostedAddress> {
  const headers = { authorization: `Bearer ${key}` }
  const reply = await fetch(url, { headers, signal: AbortSignal.timeout(CALL_LIMIT_MS) }).catch((error: unknown) => {
    throw new UserError(`${new URL(url).origin}: ${describeNetworkFault(error) ?? 'it does not respond with HTTP'}.`)
  })
  const body = (await reply.json()) as HostedAddress & { readonly detail?: string }
  if (!reply.ok) throw new UserError(body.detail ?? `The service responded with status ${reply.status}.`)
  return body
}
