import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const AUTOCANNON = fileURLToPath(import.meta.resolve('autocannon'))

/** Returns how many requests per second a server answers with 200, on 16 connections that send without pause. */
export async function measureLoad(
  url: string,
  options: { readonly seconds: number; readonly headers?: readonly string[] },
): Promise<number> {
  const headers = (options.headers ?? []).flatMap((header) => ['-H', header])
  const parameters = [AUTOCANNON, '--json', '-n', '-c', '16', '-d', String(options.seconds), ...headers, url]
  const { stdout } = await run(process.execPath, parameters, { maxBuffer: 1 << 24 })
  const result = JSON.parse(stdout) as { '2xx': number; non2xx: number; errors: number; duration: number }
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url} answered ${result.non2xx} requests otherwise than with 200`)
  return result['2xx'] / result.duration
}
