import anyAscii from 'any-ascii'
import type { StatementDocument } from './document.ts'
import { buildSections, type PdfTable } from './pdf-tables.ts'

const MARGIN = 50
const [WIDTH, HEIGHT] = [595.28, 841.89]
const BOTTOM = HEIGHT - MARGIN - 20
const TEXT_SIZE = 9
const LINE = 15
const [RULE, MUTED] = ['#bbbbbb', '#555555']
const TITLES = { advertiser: 'Advertiser invoice', publisher: 'Publisher statement', service: 'Service statement' }

/**
 * Renders a statement as an A4 PDF. The bytes depend only on the statement, because dates and the file ID are fixed.
 * The library is loaded on first use.
 */
export async function renderStatementPdf(
  statement: StatementDocument,
  partyName: string,
  sha256: string,
): Promise<Buffer> {
  const { default: PDFDocument } = await import('pdfkit')
  const info = {
    Title: printable(`${TITLES[statement.kind]} ${statement.month}`),
    Author: 'Laurel',
    Subject: printable(partyName),
    Keywords: sha256,
    CreationDate: new Date(statement.cut_at),
  }
  const document = new PDFDocument({ size: 'A4', margin: MARGIN, bufferPages: true, info })
  const chunks: Buffer[] = []
  document.on('data', (chunk: Buffer) => chunks.push(chunk))
  const written = new Promise<Buffer>((resolve, reject) => {
    document.on('end', () => resolve(Buffer.concat(chunks)))
    document.on('error', reject)
  })
  drawHead(document, statement, partyName)
  for (const table of buildSections(statement)) drawTable(document, table)
  drawFoot(document, statement, sha256)
  document.end()
  return written
}

function drawHead(document: PDFKit.PDFDocument, statement: StatementDocument, partyName: string): void {
  document.font('Helvetica-Bold').fontSize(18).text(`${TITLES[statement.kind]} ${statement.month}`, MARGIN, MARGIN)
  document.moveDown(0.6)
  const facts = [
    ['Party', partyName === statement.party ? partyName : `${partyName} (${statement.party})`],
    ['Statement', statement.statement_id],
    ['Environment', `${statement.environment}, all amounts in ${statement.currency}`],
    ['Period', `${statement.month}, to ${statement.ends_at}, with bookings up to ${statement.cut_at}`],
    [
      'Control',
      `total ${statement.control.total}, ${statement.control.journals} journals, ${statement.control.postings} postings`,
    ],
  ]
  for (const [name = '', value = ''] of facts) {
    const { y } = document
    document.font('Helvetica').fontSize(TEXT_SIZE).fillColor(MUTED).text(name, MARGIN, y, { width: 80 })
    document.fillColor('black').text(printable(value), MARGIN + 80, y, { width: WIDTH - 2 * MARGIN - 80 })
    document.y += 2
  }
}

function drawTable(document: PDFKit.PDFDocument, table: PdfTable): void {
  // Keeps a heading together with its first rows.
  if (document.y + 5 * LINE > BOTTOM) document.addPage()
  document.y += LINE
  document.font('Helvetica-Bold').fontSize(11).fillColor('black').text(table.title, MARGIN, document.y)
  document.y += 4
  drawRow(
    document,
    table,
    table.columns.map(({ name }) => name),
    'Helvetica-Bold',
  )
  for (const { cells, isPart } of table.rows) {
    if (document.y + LINE > BOTTOM) {
      document.addPage()
      drawRow(
        document,
        table,
        table.columns.map(({ name }) => name),
        'Helvetica-Bold',
      )
    }
    drawRow(document, table, cells, 'Helvetica', isPart)
  }
}

function drawRow(
  document: PDFKit.PDFDocument,
  { columns }: PdfTable,
  cells: readonly string[],
  font: string,
  isPart = false,
): void {
  const { y } = document
  let x = MARGIN
  document
    .font(font)
    .fontSize(TEXT_SIZE)
    .fillColor(isPart ? MUTED : 'black')
  for (const [index, { width, isAmount }] of columns.entries()) {
    const indent = isPart && index === 0 ? 10 : 0
    const room = width - indent - 4
    const text = printable(cells[index] ?? '')
    // Amounts are never truncated. If an amount is too wide, its font size is reduced.
    document.fontSize(
      isAmount ? Math.min(TEXT_SIZE, TEXT_SIZE * (room / document.fontSize(TEXT_SIZE).widthOfString(text))) : TEXT_SIZE,
    )
    const shown = isAmount ? text : fitted(document, text, room)
    document.text(shown, x + indent, y, { width: room, align: isAmount ? 'right' : 'left', lineBreak: false })
    x += width
  }
  document.y = y + LINE - 3
  document
    .moveTo(MARGIN, document.y)
    .lineTo(WIDTH - MARGIN, document.y)
    .lineWidth(0.3)
    .strokeColor(RULE)
    .stroke()
  document.y += 3
}

/** Returns the text, shortened to fit its column. */
function fitted(document: PDFKit.PDFDocument, text: string, width: number): string {
  if (document.widthOfString(text) <= width) return text
  let end = text.length
  while (end > 0 && document.widthOfString(`${text.slice(0, end)}...`) > width) end--
  return `${text.slice(0, end)}...`
}

/** Draws the footer on every page, including the statement's hash, so that a swapped page can be detected. */
function drawFoot(document: PDFKit.PDFDocument, { statement_id }: StatementDocument, sha256: string): void {
  const { count } = document.bufferedPageRange()
  for (let page = 0; page < count; page++) {
    document.switchToPage(page)
    // The footer is below the margin, where text would otherwise start a new page.
    document.page.margins.bottom = 0
    const foot = `${statement_id}   page ${page + 1} of ${count}   SHA-256 ${sha256}`
    document.font('Helvetica').fontSize(7).fillColor(MUTED)
    document.text(foot, MARGIN, HEIGHT - MARGIN, { width: WIDTH - 2 * MARGIN, align: 'center', lineBreak: false })
  }
}

// Matches the characters that the standard fonts lack: all those outside Windows-1252, and control characters.
const DRAWABLE = /[^\x20-\x7e\xa0-\xff€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]/gu

/** Replaces characters that the standard fonts lack with ASCII. */
function printable(text: string): string {
  return text.normalize('NFC').replace(DRAWABLE, (letter) => anyAscii(letter) || '?')
}
