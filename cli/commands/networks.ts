import { randomBytes } from 'node:crypto'
import { fstatSync } from 'node:fs'
import { addAbortSignal } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { Command } from 'commander'
import { setNetworkSecret } from '../../src/affiliate/index.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { UserError } from '../errors.ts'
import { answer, answerJson, note } from '../terminal.ts'
import { withWorkplace } from '../workplace.ts'

// A secret is written by a program or pasted before; who is still thinking after this long forgot the pipe.
const STDIN_LIMIT_MS = 10_000
const SECRET_BYTES = 24

export function networkCommands(program: Command): void {
  program
    .command('networks')
    .description('affiliate networks that report sales')
    .command('secret')
    .description("set the secret that a network's postbacks must carry: the one piped to stdin, or a generated one")
    .argument('<network>', 'its name, as in POST /postbacks/{network}')
    .option('--json', 'print one JSON object')
    .action(setSecret)
}

async function setSecret(network: string, { json }: { readonly json?: true }): Promise<void> {
  const given = await readPiped()
  const secret = given ?? randomBytes(SECRET_BYTES).toString('base64url')
  await withWorkplace(({ db, vault }) =>
    db.transaction((tx) => setNetworkSecret(tx, vault, network, secret, systemClock.now())),
  )
  // A secret that was given is known to whoever gave it, and is not repeated.
  if (json) return answerJson({ network, ...(given === null ? { secret } : {}) })
  if (given !== null) return answer(`The secret of ${network} is set.`)
  answer(`secret  ${secret}`)
  note('The secret is shown this once; the network sends it as X-Postback-Secret or as the parameter secret.')
}

/** The first line of a pipe or file; null when stdin is a terminal, closed or empty. */
async function readPiped(): Promise<string | null> {
  const kind = fstatSync(0, { throwIfNoEntry: false })
  if (kind === undefined || !(kind.isFIFO() || kind.isFile())) return null
  const late = AbortSignal.timeout(STDIN_LIMIT_MS)
  try {
    const given = await text(addAbortSignal(late, process.stdin))
    return given.split('\n')[0]?.trim() || null
  } catch (error) {
    if (!late.aborted) throw error
    throw new UserError('stdin is a pipe that brought no secret in 10 s; close it (</dev/null) to have one generated.')
  }
}
