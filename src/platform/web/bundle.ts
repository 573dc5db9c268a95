import { glob, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import { build } from 'vite'

/**
 * Command-line entry point. Bundles the console into the given folder and writes a compressed copy next to each text
 * file.
 */
const [outDir = ''] = process.argv.slice(2)
const root = fileURLToPath(new URL('../../../console/', import.meta.url))
// Level 11 takes ten times as long and saves two percent.
const params = { [constants.BROTLI_PARAM_QUALITY]: 9 }

await build({ root, logLevel: 'warn', build: { outDir, emptyOutDir: true, reportCompressedSize: false } })
for await (const path of glob('**/*.{js,css,html,svg}', { cwd: outDir })) {
  const file = join(outDir, path)
  await writeFile(`${file}.br`, await promisify(brotliCompress)(await readFile(file), { params }))
}
