import { isCurrency } from '../../src/platform/money.ts'

/** The possible meanings of a column. */
export const ROLES = ['date', 'description', 'amount', 'debit', 'credit', 'direction', 'status', 'currency'] as const
export type ColumnRole = (typeof ROLES)[number]

/**
 * The titles of each role, without case, accents, signs and currencies, in order of preference: the purchase date
 * precedes the booking date, and the merchant's text precedes the bank's.
 */
export const TITLES: Readonly<Record<ColumnRole, readonly string[]>> = {
  date: [
    ...['transaction date', 'trans date', 'trans. date', 'purchase date', 'date of transaction', 'started date'],
    ...['date', 'transaction time', 'booking date', 'booked date', 'posted date', 'posting date', 'post date'],
    ...['date posted', 'completed date', 'value date'],
    ...['transaktionsdatum', 'kaufdatum', 'belegdatum', 'abschlussdatum', 'buchungsdatum', 'buchungstag', 'buchung'],
    ...['datum', 'valutadatum', 'wertstellung', 'wertstellung valuta'],
    ...['fecha de compra', 'fecha transaccion', 'fecha operacion', 'fecha de operacion', 'fecha', 'fecha contable'],
    ...['data da compra', 'data', 'data operazione', 'data contabile', 'date operation', 'date de l operation'],
    ...['tranzakcio datuma', 'datum tranzakcie', 'konyveles datuma', 'ertek datum', '取引日', '日付'],
  ],
  description: [
    ...['original description', 'description', 'transaction description', 'merchant', 'merchant name', 'payee'],
    ...['name description', 'naam omschrijving'],
    ...['details', 'transaction details', 'narrative', 'particulars', 'memo', 'name', 'counterparty', 'reference'],
    ...['text', 'counter party', 'partner name', 'payee name', 'title', 'payment reference'],
    ...['beguenstigter zahlungspflichtiger', 'begunstigter zahlungspflichtiger', 'zahlungsempfanger*in'],
    ...['auftraggeber empfanger', 'empfanger', 'beschreibung1', 'beschreibung', 'avisierungstext'],
    ...['buchungsdetails', 'verwendungszweck', 'buchungstext', 'beschreibung2'],
    ...['descripcion', 'detalle', 'glosa', 'concepto', 'comercio', 'descricao', 'titulo', 'lancamento'],
    ...['libelle', 'descrizione', 'omschrijving', 'partner neve', 'kozlemeny', 'megnevezes'],
    ...['摘要内容', '摘要', 'お取り扱い内容', 'お取引内容'],
  ],
  amount: [
    ...['amount', 'transaction amount', 'amt', 'value', 'sum', 'betrag', 'umsatz', 'monto', 'importe', 'valor'],
    ...['transaction amt', 'montant', 'importo', 'bedrag', 'osszeg', '金額'],
  ],
  debit: [
    ...['debit', 'debits', 'debit amount', 'withdrawal', 'withdrawals', 'withdrawal amount', 'money out', 'paid out'],
    ...['charges', 'out', 'belastung', 'lastschrift', 'soll', 'cargo', 'cargos', 'cheques cargos', 'debito'],
    ...['debit amt', 'debitos', 'addebiti', 'dare', 'terheles', '支払い金額', 'お支払金額', '出金', '出金額'],
  ],
  credit: [
    ...['credit', 'credits', 'credit amount', 'deposit', 'deposits', 'deposit amount', 'money in', 'paid in'],
    ...['payments', 'in', 'gutschrift', 'haben', 'abono', 'abonos', 'depositos abonos', 'credito', 'creditos'],
    ...['credit amt', 'accrediti', 'avere', 'jovairas', '預かり金額', 'お預り金額', '入金', '入金額'],
  ],
  direction: [
    ...['debit credit', 'credit debit', 'dr cr', 'cr dr', 'cdi', 'credit debit indicator', 'debit or credit'],
    ...['transaction type', 'type', 'entry type', 'direction', 'soll haben', 's h', 'umsatztyp', 'umsatzart', 'af bij'],
    ...['cargo abono', 'tipo', 'tipo de movimiento', 'tipo de transaccion', 'tipo movimento', 'sens', 'segno'],
    ...['bejovo kimeno', 'tipus', 'bewegungstyp', '入払区分'],
  ],
  status: [
    ...['status', 'state', 'transaction status', 'payment status', 'booking status', 'umsatzstatus', 'estado'],
    ...['situacao', 'statut', 'stato', 'allapot'],
  ],
  currency: [
    ...['currency', 'account currency', 'billing currency', 'card currency', 'currency code', 'ccy'],
    ...['transaction currency', 'wahrung', 'waehrung', 'moneda', 'divisa', 'moeda', 'devise', 'valuta', 'penznem'],
    ...['deviza', '通貨'],
  ],
}

/** Titles of columns with an amount other than the booked one, such as the original amount of a purchase abroad. */
export const OF_OTHER_AMOUNT =
  /\b(local|original|foreign|source|target|counter|exchange|from|to|merchant|conversion|balance|fee)\b/

/** Reduces a title to its words: "Amount (USD)" and "AMOUNT in EUR" become "amount"; "Währung" becomes "wahrung". */
export function normalizeTitle(title: string): string {
  return title
    .replace(CURRENCY_IN_TITLE, (found) => (currencyIn(found) === null ? found : ' '))
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[_/()°#:.,'"-]+|[$€£¥]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .normalize('NFC')
}

const CURRENCY_IN_TITLE = /\((?:[A-Z]{3}|[A-Z]{0,3}[$€£¥])\)|\bin [A-Z]{3}\b|(?<=\S\s)\b(?:[A-Z]{3}|[A-Z]{0,2}[$€£¥])$/g

/** Returns the currency in the title of an amount column, as a code or a symbol; null if there is none. */
export function findCurrencyInTitle(title: string): string | null {
  const found = title.match(CURRENCY_IN_TITLE) ?? []
  return found.flatMap((one) => currencyIn(one) ?? [])[0] ?? null
}

/** Returns the currency code or symbol; null for other capitalized words, as in MONEY OUT. */
function currencyIn(found: string): string | null {
  const bare = found.replace(/[()]|\bin\b|\s/g, '')
  return /^[A-Z]{3}$/.test(bare) && !isCurrency(bare) ? null : bare
}
