// What banks and processors put before the merchant's name on a statement. Their patterns are published by them or
// plain on any statement; each is anchored at the start and takes its characters once, so the time is linear.

// A bank says how the card was used. The date, the card and the masks that follow belong to the wrapper.
const bankWrapper = new RegExp(
  '^\\s*(?:' +
    [
      '(?:purchase|recurring payment|payment)s? authorized on',
      'pos debit\\s{0,20}- visa check card [\\dx]{4}\\s{0,20}-',
      '(?:\\d{4,12} )?pos (?:purchase|debit|withdrawal:?|w/d|pur \\d\\d/\\d\\d \\d\\d:\\d\\d)',
      'withdrawal (?:debit card|pos #\\d{4,20}/pos)',
      'purchase(?: at)?',
      '(?:debit|credit|visa) card purchase',
      'check ?card(?: purchase)?',
      'visa dda pur(?:chase)?',
      'dbt crd',
      'pin pos',
      'mobile purchase',
      'merchant payment',
      'recurring',
      'apl ?pay',
    ].join('|') +
    ')(?=[\\s:#])[\\s:#]{0,40}(?:[\\dx]{1,2}/[\\dx]{1,2}(?:/[\\dx]{2,4})?\\s{1,20})?',
)

// Numbers a bank leaves behind its wrapper. Kept apart from it because a shop may begin with a number as well.
const leadingNumber = /^(?:[\dx]{4,30}|[\dx]{3}-[\dx]{7})\s{1,20}/

// A processor or wallet that takes the money for a shop. It says nothing of who the shop is. Marketplaces
// and delivery services are not here: there the head is the merchant that sold, and what follows is a detail.
const processorHead = new RegExp(
  '^\\s*(?:(?:' +
    'sq|squ|tst|sp|py|in|cke|bm|cf|par|tsp|pnt|tlf|sn|fs|wpy|ady|pp|paypal|levelup|google|google pay|lca|cnk|apl|hlu|pln' +
    ')\\s{0,4}\\*|tst\\.|paypal\\s{1,20}inst xfer\\s|(?:sq|sp)\\s)\\s{0,20}',
)

// Companies that sell their several products under one head: a brand of the tail is the better answer, the head else.
const parentHead = /^\s*(?:intuit|microsoft|msft)\s{0,10}\*\s{0,10}/

// Two processors in a row and two bank wrappers happen (`SQU*SQ *SHOP`); more do not.
const mostLayers = 3

/** The readings of a folded descriptor, best first, each beginning where a merchant's name may begin. */
export function readingsOf(folded: string): string[] {
  let text = folded
  let wrapped = false
  for (let layer = 0; layer < mostLayers; layer += 1) {
    const bare = text.replace(bankWrapper, '')
    if (bare === text) break
    wrapped = true
    text = bare
  }
  const readings = wrapped ? [text, text.replace(leadingNumber, '')] : [text]
  return [...new Set(readings.flatMap(belowHeads))]
}

function belowHeads(text: string): string[] {
  let tail = text
  for (let layer = 0; layer < mostLayers; layer += 1) {
    const bare = tail.replace(processorHead, '')
    if (bare === tail) break
    tail = bare
  }
  const product = tail.replace(parentHead, '')
  return product === tail ? [tail] : [product, tail]
}
