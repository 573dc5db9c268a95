import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { XMLValidator } from 'fast-xml-parser'
import type { PayoutAccount } from './bank-account.ts'
import type { PayoutFile } from './payout-file.ts'
import { CHECKING, FRENCH, GERMAN, makeEntries, makeFile, makeReference, PAYER } from './testing.ts'
import { findEntryFault, findFileFault, rewritePayoutFile, writePayoutFile } from './write-file.ts'

const euros = (file: PayoutFile): PayoutFile => ({ ...file, currency: 'EUR' })

test('every element of a file with two transfers is correct', () => {
  const text = writePayoutFile('pain.001', euros(makeFile(makeEntries([123_456n, GERMAN], [5n, FRENCH]))))
  const expected = `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.09">
  <CstmrCdtTrfInitn>
    <GrpHdr>
      <MsgId>01K7ZQ0000000000000000FILE</MsgId>
      <CreDtTm>2026-03-04T15:16:17Z</CreDtTm>
      <NbOfTxs>2</NbOfTxs>
      <CtrlSum>1234.61</CtrlSum>
      <InitgPty><Nm>Laurel Rewards, Inc.</Nm></InitgPty>
    </GrpHdr>
    <PmtInf>
      <PmtInfId>01K7ZQ0000000000000000FILE</PmtInfId>
      <PmtMtd>TRF</PmtMtd>
      <NbOfTxs>2</NbOfTxs>
      <CtrlSum>1234.61</CtrlSum>
      <PmtTpInf><SvcLvl><Cd>SEPA</Cd></SvcLvl></PmtTpInf>
      <ReqdExctnDt><Dt>2026-03-06</Dt></ReqdExctnDt>
      <Dbtr><Nm>Laurel Rewards, Inc.</Nm></Dbtr>
      <DbtrAcct><Id><IBAN>NL91ABNA0417164300</IBAN></Id></DbtrAcct>
      <DbtrAgt><FinInstnId><BICFI>ABNANL2A</BICFI></FinInstnId></DbtrAgt>
      <ChrgBr>SLEV</ChrgBr>
      <CdtTrfTxInf>
        <PmtId><EndToEndId>${makeReference(1)}</EndToEndId></PmtId>
        <Amt><InstdAmt Ccy="EUR">1234.56</InstdAmt></Amt>
        <CdtrAgt><FinInstnId><BICFI>COBADEFFXXX</BICFI></FinInstnId></CdtrAgt>
        <Cdtr><Nm>Jorg Weiss + Sohne</Nm></Cdtr>
        <CdtrAcct><Id><IBAN>DE89370400440532013000</IBAN></Id></CdtrAcct>
        <RmtInf><Ustrd>CASHBACK</Ustrd></RmtInf>
      </CdtTrfTxInf>
      <CdtTrfTxInf>
        <PmtId><EndToEndId>${makeReference(2)}</EndToEndId></PmtId>
        <Amt><InstdAmt Ccy="EUR">0.05</InstdAmt></Amt>
        <Cdtr><Nm>Alexis Zormpas</Nm></Cdtr>
        <CdtrAcct><Id><IBAN>FR1420041010050500013M02606</IBAN></Id></CdtrAcct>
        <RmtInf><Ustrd>CASHBACK</Ustrd></RmtInf>
      </CdtTrfTxInf>
    </PmtInf>
  </CstmrCdtTrfInitn>
</Document>
`
  // Whitespace between elements is insignificant.
  assert.equal(text.replace(/>\s+</g, '><'), expected.replace(/>\s+</g, '><'))
})

const TURKISH = { type: 'iban', holderName: 'Ada Lovelace', iban: 'TR330006100519786457841326', bic: null } as const
const SAUDI = { ...TURKISH, iban: 'SA0380000000608010167519' }

test('euros can be sent only to SEPA IBANs; other currencies need a BIC if the IBAN is outside SEPA', () => {
  const dollars = makeFile(makeEntries([1n, GERMAN]))
  for (const account of [TURKISH, SAUDI]) {
    const [entry] = makeEntries([1n, account])
    const [named] = makeEntries([1n, { ...account, bic: 'ISBKTRIS' }])
    assert.ok(entry !== undefined && named !== undefined)
    const outside = 'the IBAN belongs to a country outside SEPA, which euro transfers cannot reach'
    assert.equal(findEntryFault('pain.001', entry, 'EUR'), outside)
    assert.equal(findEntryFault('pain.001', named, 'EUR'), outside)
    const unnamed = 'the IBAN belongs to a country outside SEPA, so the transfer needs a BIC'
    assert.equal(findEntryFault('pain.001', entry, 'USD'), unnamed)
    const text = writePayoutFile('pain.001', { ...dollars, entries: [named] })
    assert.match(text, /<BICFI>ISBKTRIS<\/BICFI>/)
    assert.doesNotMatch(text, /SEPA/)
  }
  const albanian = makeEntries([1n, { ...TURKISH, iban: 'AL47212110090000000235698741' }])
  assert.equal(findFileFault('pain.001', euros(makeFile(albanian))), null)
  const payer = { ...PAYER, account: { iban: TURKISH.iban, bic: 'ISBKTRIS' } }
  const file = makeFile(makeEntries([1n, GERMAN]), { payer })
  assert.equal(findFileFault('pain.001', euros(file)), 'the IBAN of the payer belongs to a country outside SEPA')
  assert.equal(findFileFault('pain.001', file), null)
})

test('a euro file written before IBANs outside SEPA were excluded can be restored', () => {
  for (const account of [TURKISH, SAUDI]) {
    const file = euros(makeFile(makeEntries([1n, account])))
    assert.match(rewritePayoutFile('pain.001', file, () => true) ?? '', new RegExp(account.iban))
  }
})

test('only euro files follow the SEPA rules, and amounts have as many decimals as their currency', () => {
  const payer = { ...PAYER, account: { iban: 'NL91ABNA0417164300', bic: null } }
  const dollars = writePayoutFile('pain.001', makeFile(makeEntries([1234n, GERMAN]), { payer }))
  assert.doesNotMatch(dollars, /SEPA|SLEV/)
  assert.match(dollars, /<InstdAmt Ccy="USD">12\.34</)
  assert.match(dollars, /<DbtrAgt>\s*<FinInstnId>\s*<Othr>\s*<Id>NOTPROVIDED</)
  const yen = writePayoutFile('pain.001', makeFile(makeEntries([1234n, GERMAN]), { currency: 'JPY' }))
  assert.match(yen, /<CtrlSum>1234<[\s\S]*<InstdAmt Ccy="JPY">1234</)
})

/** Returns the text of each element with the given name. */
const texts = (xml: string, name: string): string[] =>
  [...xml.matchAll(new RegExp(`<${name}(?: [^>]*)?>([^<]*)</${name}>`, 'g'))].map(([, text = '']) => text)

test('files with arbitrary names are well-formed, names fit their width, and control sums are exact', () => {
  const holder = fc
    .string({ unit: fc.constantFrom(...'Az9 -ßøЖ李é’&<>"/𠮷€]'), maxLength: 138 })
    .map((text) => `N${text}N`)
  const account = holder.map((holderName): PayoutAccount => ({ ...GERMAN, holderName }))
  const rows = fc.array(fc.tuple(fc.bigInt(1n, 99_999_999_999n), account), { minLength: 1, maxLength: 12 })
  fc.assert(
    fc.property(rows, (pairs) => {
      const entries = makeEntries(...pairs)
      const text = writePayoutFile('pain.001', euros(makeFile(entries)))
      assert.equal(XMLValidator.validate(text), true)
      const cents = (decimal: string): bigint => BigInt(decimal.replace('.', ''))
      const sum = entries.reduce((total, { amount }) => total + amount, 0n)
      assert.deepEqual(
        texts(text, 'InstdAmt').map(cents),
        entries.map(({ amount }) => amount),
      )
      assert.deepEqual(texts(text, 'CtrlSum').map(cents), [sum, sum])
      assert.deepEqual(texts(text, 'NbOfTxs'), [String(entries.length), String(entries.length)])
      for (const name of texts(text, 'Nm'))
        assert.match(name.replaceAll('&apos;', "'"), /^[0-9A-Za-z/\-?:().,'+ ]{1,70}$/)
    }),
  )
})

test('IDs never contain account numbers', () => {
  const text = writePayoutFile('pain.001', euros(makeFile(makeEntries([1n, GERMAN]))))
  const ids = [...text.matchAll(/<(MsgId|PmtInfId|EndToEndId|InstrId)>([^<]*)/g)].map(([, , id]) => id)
  assert.deepEqual(ids, ['01K7ZQ0000000000000000FILE', '01K7ZQ0000000000000000FILE', makeReference(1)])
  assert.equal(text.split('0532013000').length, 2)
})

test('a file that the message format cannot represent is refused', () => {
  const one = makeEntries([1n, GERMAN])
  const account = { iban: 'NL91ABNA0417164300', bic: 'ABNANL2A' }
  const table: [PayoutFile, RegExp][] = [
    [makeFile(makeEntries([1n, CHECKING])), /only pay to IBANs/],
    [makeFile(makeEntries([100_000_000_000n, GERMAN])), /amount is too large/],
    [makeFile(one, { currency: 'eur' }), /three letters/],
    [makeFile(one, { payer: { ...PAYER, account: null } }), /no account/],
    [makeFile(one, { payer: { ...PAYER, name: '' } }), /name of the payer/],
    [makeFile(one, { payer: { ...PAYER, account: { ...account, iban: 'NL91' } } }), /IBAN of the payer/],
    [makeFile(one, { payer: { ...PAYER, account: { ...account, bic: 'X' } } }), /BIC of the payer/],
  ]
  for (const [file, fault] of table) {
    assert.match(String(findFileFault('pain.001', file)), fault)
    assert.throws(() => writePayoutFile('pain.001', file), RangeError)
  }
})
