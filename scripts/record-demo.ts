import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

/** Runs `./laurel demo` on an empty data folder and draws its output as docs/demo.svg. */

const ROOT = fileURLToPath(new URL('../', import.meta.url))
const FILE = new URL('../docs/demo.svg', import.meta.url)

// All lengths are in pixels. Most monospaced fonts are 0.6 times as wide as their size.
const FONT_SIZE = 14
const COLUMN = FONT_SIZE * 0.6
const LINE = 19
const PADDING = 20

/** Colors of the SGR codes that `styleText` writes, on the picture's dark background. */
const CLASSES: Readonly<Record<string, string>> = { 1: 'bold', 2: 'dim', 31: 'red', 32: 'green', 36: 'cyan' }
const RESETS: Readonly<Record<string, readonly string[]>> = { 22: ['bold', 'dim'], 39: ['red', 'green', 'cyan'] }
const STYLE = `
  text { font: ${FONT_SIZE}px ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace; fill: #d8dee9; white-space: pre }
  .bold { font-weight: bold } .dim { fill: #8b95a7 } .red { fill: #f07178 } .green { fill: #a3d977 } .cyan { fill: #7fd1e0 }`

async function record(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'laurel-demo-'))
  try {
    const { DATABASE_URL: _, NO_COLOR: __, ...env } = process.env
    const demo = spawn(join(ROOT, 'laurel'), ['demo'], {
      env: { ...env, LAUREL_DATA_DIR: dataDir, FORCE_COLOR: '1' },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const ended = new Promise<number | null>((resolve) => demo.once('close', resolve))
    const printed = (await demo.stdout.setEncoding('utf8').toArray()).join('')
    const code = await ended
    if (code !== 0) throw new Error(`laurel demo ended with ${code}`)
    return printed
  } finally {
    await rm(dataDir, { recursive: true })
  }
}

/** Draws a terminal as an SVG, with the command and its output in color. */
function picture(command: string, printed: string): string {
  const lines = [`\u001b[2m$\u001b[22m ${command}`, '', ...printed.trimEnd().split('\n')]
  const columns = Math.max(...lines.map((line) => parseSpans(line).reduce((sum, span) => sum + span.text.length, 0)))
  const width = Math.ceil(columns * COLUMN) + 2 * PADDING
  const height = lines.length * LINE + 2 * PADDING
  const texts = lines
    .map((line, index) => renderText(line, PADDING + (index + 0.75) * LINE))
    .filter((text) => text !== '')
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
<title>${escaped(command)}</title>
<style>${STYLE}
</style>
<rect width="100%" height="100%" rx="8" fill="#1b212c"/>
${texts.join('\n')}
</svg>
`
}

function renderText(line: string, y: number): string {
  let column = 0
  const spans = parseSpans(line).map(({ text, classes }) => {
    const x = (PADDING + column * COLUMN).toFixed(1)
    column += text.length
    const name = classes.length === 0 ? '' : ` class="${classes.join(' ')}"`
    return text.trim() === '' ? '' : `<tspan x="${x}"${name}>${escaped(text)}</tspan>`
  })
  const shown = spans.join('')
  return shown === '' ? '' : `<text y="${y}">${shown}</text>`
}

type Span = { readonly text: string; readonly classes: readonly string[] }

function parseSpans(line: string): Span[] {
  const [start = '', ...rest] = line.split('\u001b[')
  let classes: readonly string[] = []
  const spans: Span[] = [{ text: start, classes }]
  for (const part of rest) {
    const end = part.indexOf('m')
    const code = part.slice(0, end)
    const added = CLASSES[code]
    const removed = RESETS[code]
    if (added === undefined && removed === undefined) throw new Error(`the picture has no style for code ${code}`)
    classes = added === undefined ? classes.filter((name) => !removed?.includes(name)) : [...classes, added]
    spans.push({ text: part.slice(end + 1), classes })
  }
  return spans.filter(({ text }) => text !== '')
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  await writeFile(FILE, picture('./laurel demo', await record()))
}
