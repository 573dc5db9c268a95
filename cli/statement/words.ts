/** The direction in which a row's money moved. */
export type MoneyDirection = 'debit' | 'credit'
/** The status of a row. Only completed rows are imported. */
export type RowState = 'completed' | 'pending' | 'void'

// Words used by banks in several countries, without case or accents.
const DIRECTIONS: Readonly<Record<MoneyDirection, readonly string[]>> = {
  debit: [
    ...['debit', 'debits', 'dr', 'd', 'dbit', 'withdrawal', 'purchase', 'sale', 'charge', 'expense', 'outgoing', 'out'],
    ...['money out', 'paid out', 'spent', '-', 'soll', 's', 'lastschrift', 'belastung', 'ausgang', 'ausgabe', 'af'],
    ...['debet', 'cargo', 'debito', 'gasto', 'egreso', 'compra', 'saida', 'depense', 'sortie', 'uscita', 'addebito'],
    ...['terheles', 't', 'kimeno', '支払い', '支払', '出金'],
  ],
  credit: [
    ...['credit', 'credits', 'cr', 'c', 'crdt', 'deposit', 'refund', 'return', 'income', 'incoming', 'in', 'money in'],
    ...['paid in', 'received', '+', 'haben', 'h', 'gutschrift', 'eingang', 'einnahme', 'bij', 'abono', 'credito'],
    ...['ingreso', 'entrada', 'entree', 'entrata', 'accredito', 'jovairas', 'j', 'bejovo', '預かり', '入金'],
  ],
}
const STATES: Readonly<Record<RowState, readonly string[]>> = {
  completed: [
    ...['completed', 'complete', 'posted', 'booked', 'settled', 'cleared', 'processed', 'executed', 'success'],
    ...['successful', 'done', 'gebucht', 'umsatz gebucht', 'ausgefuhrt', 'contabilizado', 'contabilizada'],
    ...['liquidado', 'completado', 'completada', 'concluido', 'concluida', 'comptabilise', 'contabilizzato'],
    ...['verwerkt', 'konyvelt', 'teljesult'],
  ],
  pending: [
    ...['pending', 'authorized', 'authorised', 'authorization', 'on hold', 'hold', 'processing', 'in progress'],
    ...['scheduled', 'vorgemerkt', 'umsatz vorgemerkt', 'offen', 'pendiente', 'pendente', 'en attente', 'in attesa'],
    ...['in behandeling', 'fuggo', 'fuggoben'],
  ],
  void: [
    ...['declined', 'denied', 'rejected', 'refused', 'failed', 'failure', 'error', 'reverted', 'reversed', 'refunded'],
    ...['cancelled', 'canceled', 'void', 'voided', 'expired', 'abgelehnt', 'storniert', 'fehlgeschlagen', 'rechazado'],
    ...['rechazada', 'anulado', 'anulada', 'recusado', 'recusada', 'cancelado', 'cancelada', 'refuse', 'annule'],
    ...['rifiutato', 'annullato', 'geweigerd', 'elutasitva', 'sztornozva'],
  ],
}

const DIRECTION_OF = meanings(DIRECTIONS)
const STATE_OF = meanings(STATES)

export function parseDirection(cell: string): MoneyDirection | null {
  return DIRECTION_OF.get(normalizeWord(cell)) ?? null
}

export function parseState(cell: string): RowState | null {
  return STATE_OF.get(normalizeWord(cell)) ?? null
}

export function normalizeWord(cell: string): string {
  const plain = cell.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trim()
  return plain.length === 1
    ? plain
    : plain
        .replace(/[_/.-]+/g, ' ')
        .replace(/\s+/g, ' ')
        .trim()
        .normalize('NFC')
}

function meanings<T extends string>(words: Readonly<Record<T, readonly string[]>>): ReadonlyMap<string, T> {
  const entries = Object.entries(words) as [T, readonly string[]][]
  return new Map(entries.flatMap(([meaning, texts]) => texts.map((text): [string, T] => [text, meaning])))
}
