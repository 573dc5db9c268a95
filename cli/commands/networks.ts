import { randomBytes } from 'node:crypto'
import type { Command } from 'commander'
import { setLockDays, setNetworkSecret } from '../../src/affiliate/index.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { readPiped } from '../secret.ts'
import { withStorage } from '../storage.ts'
import { answer, answerJson, note } from '../terminal.ts'

const SECRET_BYTES = 24

export function define(networks: Command): void {
  networks
    .command('secret')
    .description("set the secret that a network's postbacks must carry, from stdin or generated")
    .argument('<network>', 'its name, as in POST /postbacks/{network}')
    .option('--json', 'print one JSON object')
    .action(setSecret)
  networks
    .command('lock-days')
    .description('set within how many days of a sale the network approves or rejects it; default 90')
    .argument('<network>', 'its name, as in POST /postbacks/{network}')
    .argument('<days>', '1 to 365', Number)
    .action(setDays)
}

async function setDays(network: string, days: number): Promise<void> {
  await withStorage(({ db }) => db.transaction((tx) => setLockDays(tx, network, days, systemClock.now())))
  answer(`Sales reported by ${network} are expected to be decided within ${days} days.`)
}

async function setSecret(network: string, { json }: { readonly json?: true }): Promise<void> {
  const given = await readPiped()
  const secret = given ?? randomBytes(SECRET_BYTES).toString('base64url')
  await withStorage(({ db, vault }) =>
    db.transaction((tx) => setNetworkSecret(tx, vault, network, secret, systemClock.now())),
  )
  // A secret that was piped in is not printed.
  if (json) return answerJson({ network, ...(given === null ? { secret } : {}) })
  if (given !== null) return answer(`The secret of ${network} is set.`)
  answer(`secret  ${secret}`)
  note('The secret is shown this once; the network sends it as X-Postback-Secret or as the parameter secret.')
}
