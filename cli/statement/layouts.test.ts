import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readStatement } from './read.ts'
import type { ReadOptions } from './statement.ts'

type Case = {
  readonly bank: string
  readonly currency: string
  readonly file: string
  readonly rows: readonly string[]
  readonly leftOut?: Partial<ReturnType<typeof readStatement>['leftOut']>
  readonly options?: Partial<ReadOptions>
}

// The layouts are published by banks or described by users. The rows are made up.
const CASES: readonly Case[] = [
  {
    bank: 'Chase checking: signed amounts and a direction column',
    currency: 'USD',
    file: `Details,Posting Date,Description,Amount,Type,Balance,Check or Slip #
DEBIT,11/03/2026,"CORNER CAFE 0012, PORTLAND OR",-4.50,DEBIT_CARD,"1,495.50",,
CREDIT,11/13/2026,ACME PAYROLL PPD ID: 1,1500.00,ACH_CREDIT,"1,500.00",,
CREDIT,11/12/2026,ACME BONUS,200.00,ACH_CREDIT,"1,500.00",,`,
    rows: [
      '2026-11-03 CORNER CAFE 0012, PORTLAND OR 450',
      '2026-11-13 ACME PAYROLL PPD ID: 1 -150000',
      '2026-11-12 ACME BONUS -20000',
    ],
  },
  {
    bank: 'Chase card',
    currency: 'USD',
    file: `Transaction Date,Post Date,Description,Category,Type,Amount,Memo
11/13/2026,11/14/2026,CORNER CAFE,Food & Drink,Sale,-4.50,
11/15/2026,11/16/2026,CORNER CAFE,Food & Drink,Return,4.50,
11/20/2026,11/20/2026,Payment Thank You-Mobile,,Payment,100.00,
11/21/2026,11/22/2026,BOOK BARN,Shopping,Sale,-20.00,
11/21/2026,11/22/2026,SOCK SHOP,Shopping,Sale,-1.00,`,
    rows: [
      '2026-11-13 CORNER CAFE 450',
      '2026-11-15 CORNER CAFE -450',
      '2026-11-20 Payment Thank You-Mobile -10000',
      '2026-11-21 BOOK BARN 2000',
      '2026-11-21 SOCK SHOP 100',
    ],
  },
  {
    bank: 'Capital One 360: unsigned amounts with a direction column',
    currency: 'USD',
    file: `Account Number,Transaction Description,Transaction Date,Transaction Type,Transaction Amount,Balance
1234,Debit Card Purchase - CORNER CAFE,11/13/26,Debit,4.5,1495.5
1234,Deposit from ACME PAYROLL,11/12/26,Credit,1500,1500`,
    rows: ['2026-11-13 Debit Card Purchase - CORNER CAFE 450', '2026-11-12 Deposit from ACME PAYROLL -150000'],
  },
  {
    bank: 'Capital One card',
    currency: 'USD',
    file: `Transaction Date,Posted Date,Card No.,Description,Category,Debit,Credit
2026-11-13,2026-11-14,1234,CORNER CAFE,Dining,4.50,
2026-11-15,2026-11-15,1234,CAPITAL ONE MOBILE PYMT,Payment/Credit,,100.00`,
    rows: ['2026-11-13 CORNER CAFE 450', '2026-11-15 CAPITAL ONE MOBILE PYMT -10000'],
  },
  {
    bank: 'Revolut: a status column, and pockets in several currencies',
    currency: 'EUR',
    file: `Type,Product,Started Date,Completed Date,Description,Amount,Fee,Currency,State,Balance
CARD_PAYMENT,Current,2026-11-03 10:11:12,2026-11-04 09:00:00,Corner Cafe,-4.50,0.00,EUR,COMPLETED,95.50
CARD_PAYMENT,Current,2026-11-03 11:00:00,,Book Barn,-20.00,0.00,EUR,REVERTED,
CARD_PAYMENT,Current,2026-11-05 11:00:00,,Sock Shop,-9.00,0.00,EUR,PENDING,
CARD_PAYMENT,Current,2026-11-06 11:00:00,,Sock Shop,-8.00,0.00,EUR,Declined,
CARD_PAYMENT,Current,2026-11-07 08:00:00,2026-11-08 08:00:00,Tokyo Ramen,-20000.00,0.00,JPY,COMPLETED,1000
TOPUP,Current,2026-11-01 08:00:00,2026-11-01 08:00:00,Top-Up by *1234,100.00,0.00,EUR,COMPLETED,100.00
CARD_PAYMENT,Current,2026-11-09 08:00:00,2026-11-10 08:00:00,Bakery,-2.00,0.00,EUR,COMPLETED,93.50`,
    rows: ['2026-11-03 Corner Cafe 450', '2026-11-01 Top-Up by *1234 -10000', '2026-11-09 Bakery 200'],
    leftOut: { pending: 1, void: 2, otherCurrency: 1 },
  },
  {
    bank: 'Wise: further currency columns for exchanges',
    currency: 'GBP',
    file: `"TransferWise ID",Date,Amount,Currency,Description,"Payment Reference","Running Balance","Exchange From","Exchange To","Exchange Rate",Merchant
CARD-1,13-11-2026,-4.50,GBP,"Card transaction of 5.25 EUR issued by Corner Cafe",,95.50,GBP,EUR,1.16,"Corner Cafe"
CARD-2,14-11-2026,-4.50,GBP,"Card transaction of 4.50 GBP issued by Book Barn",,91.00,,,,"Book Barn"`,
    rows: [
      '2026-11-13 Card transaction of 5.25 EUR issued by Corner Cafe 450',
      '2026-11-14 Card transaction of 4.50 GBP issued by Book Barn 450',
    ],
  },
  {
    bank: 'N26: the currency in the title, the currency of the purchase in another column',
    currency: 'EUR',
    file: `"Date","Payee","Account number","Transaction type","Payment reference","Amount (EUR)","Amount (Foreign Currency)","Type Foreign Currency","Exchange Rate"
"2026-11-03","CORNER CAFE","","MasterCard Payment","","-4.5","-5.2","USD","1.15"
"2026-11-04","ACME GMBH","DE00","Income","Salary","1500.0","","",""
"2026-11-05","BOOK BARN","","MasterCard Payment","","-1234.56","-1234.56","EUR","1.0"`,
    rows: ['2026-11-03 CORNER CAFE 450', '2026-11-04 ACME GMBH -150000', '2026-11-05 BOOK BARN 123456'],
  },
  {
    bank: 'Sparkasse, CAMT-CSV: quoted semicolons, a pending row',
    currency: 'EUR',
    file: `"Auftragskonto";"Buchungstag";"Valutadatum";"Buchungstext";"Verwendungszweck";"Glaeubiger ID";"Mandatsreferenz";"Kundenreferenz (End-to-End)";"Sammlerreferenz";"Lastschrift Ursprungsbetrag";"Auslagenersatz Ruecklastschrift";"Beguenstigter/Zahlungspflichtiger";"Kontonummer/IBAN";"BIC (SWIFT-Code)";"Betrag";"Waehrung";"Info"
"DE00";"03.11.26";"03.11.26";"KARTENZAHLUNG";"2026-11-02T14:31 Debitk.1 2028-12";"";"";"1";"";"";"";"REWE SAGT DANKE. 41234567//Koeln/DE";"DE01";"BIC";"-12,50";"EUR";"Umsatz gebucht"
"DE00";"04.11.26";"04.11.26";"LOHN  GEHALT";"Lohn";"";"";"";"";"";"";"Firma AG";"DE02";"BIC";"1.500,00";"EUR";"Umsatz gebucht"
"DE00";"05.11.26";"05.11.26";"KARTENZAHLUNG";"";"";"";"";"";"";"";"";"DE03";"BIC";"-1,00";"EUR";"Umsatz gebucht"`,
    rows: [
      '2026-11-03 REWE SAGT DANKE. 41234567//Koeln/DE 1250',
      '2026-11-04 Firma AG -150000',
      '2026-11-05 KARTENZAHLUNG 100',
    ],
  },
  {
    bank: 'DKB: lines above the header, quoted semicolons, a status column',
    currency: 'EUR',
    file: `"Girokonto";"DE00"
"Zeitraum:";"01.11.2026 - 20.11.2026"
"Kontostand vom 20.11.2026:";"1.234,56 €"
""
"Buchungsdatum";"Wertstellung";"Status";"Zahlungspflichtige*r";"Zahlungsempfänger*in";"Verwendungszweck";"Umsatztyp";"IBAN";"Betrag (€)";"Gläubiger-ID";"Mandatsreferenz";"Kundenreferenz"
"20.11.26";"";"Vorgemerkt";"ISSUER";"BOOK BARN";"VISA Debitkartenumsatz";"Ausgang";"DE01";"-20,00";"";"";""
"13.11.26";"13.11.26";"Gebucht";"ISSUER";"CORNER CAFE";"VISA Debitkartenumsatz";"Ausgang";"DE01";"-4,50";"";"";""
"12.11.26";"12.11.26";"Gebucht";"ACME AG";"Ada";"Gehalt";"Eingang";"DE02";"1.500";"";"";""`,
    rows: ['2026-11-13 CORNER CAFE 450', '2026-11-12 Ada -150000'],
    leftOut: { pending: 1 },
  },
  {
    bank: 'Comdirect: a word instead of the date of a pending row',
    currency: 'EUR',
    file: `;
"Umsätze Girokonto";"Zeitraum: 20 Tage";
"Neuer Kontostand";"1.234,56 EUR";

"Buchungstag";"Wertstellung (Valuta)";"Vorgang";"Buchungstext";"Umsatz in EUR";
"offen";"--";"Karte";" Buchungstext: BOOK BARN";"-20,00";
"13.11.2026";"13.11.2026";"Karte";" Buchungstext: CORNER CAFE Ref. 1";"-4,50";
"12.11.2026";"12.11.2026";"Gutschrift";"Auftraggeber: ACME Buchungstext: Gehalt Ref. 2";"1.500,00";
"11.11.2026";"11.11.2026";"Karte";" Buchungstext: BAKERY Ref. 3";"-2,00";`,
    rows: [
      '2026-11-13 Buchungstext: CORNER CAFE Ref. 1 450',
      '2026-11-12 Auftraggeber: ACME Buchungstext: Gehalt Ref. 2 -150000',
      '2026-11-11 Buchungstext: BAKERY Ref. 3 200',
    ],
    leftOut: { pending: 1 },
  },
  {
    bank: 'ING Germany: two currency columns with the same title',
    currency: 'EUR',
    file: `Umsatzanzeige;Datei erstellt am: 20.11.2026
IBAN;DE00
Sortierung;Datum absteigend

In der CSV-Datei finden Sie alle bereits gebuchten Umsätze.

Buchung;Wertstellungsdatum;Auftraggeber/Empfänger;Buchungstext;Verwendungszweck;Saldo;Währung;Betrag;Währung
13.11.2026;13.11.2026;VISA CORNER CAFE;Lastschrift;NR 1;1.495,50;EUR;-4,50;EUR
12.11.2026;12.11.2026;ACME AG;Gehalt/Rente;November;1.500,00;EUR;1.500,00;EUR`,
    rows: ['2026-11-13 VISA CORNER CAFE 450', '2026-11-12 ACME AG -150000'],
  },
  {
    bank: 'a German bank with the value date under Valuta, which is the currency elsewhere',
    currency: 'EUR',
    file: `Buchung;Valuta;Buchungstext;Betrag in EUR
03.11.2026;04.11.2026;REWE;-12,50
04.11.2026;;LIDL;-3,00
12.11.2026;12.11.2026;ACME AG;1.500,00`,
    rows: ['2026-11-03 REWE 1250', '2026-11-04 LIDL 300', '2026-11-12 ACME AG -150000'],
  },
  {
    bank: 'a Dutch bank with the currency under Valuta',
    currency: 'EUR',
    file: `Datum;Valuta;Omschrijving;Bedrag
03-11-2026;EUR;JUMBO;-12,50
13-11-2026;USD;DINER;-9,00`,
    rows: ['2026-11-03 JUMBO 1250'],
    leftOut: { otherCurrency: 1 },
  },
  {
    bank: 'ING Netherlands: dates of eight digits, unsigned amounts',
    currency: 'EUR',
    file: `"Date","Name / Description","Account","Counterparty","Code","Debit/credit","Amount (EUR)","Transaction type","Notifications"
"20261113","CORNER CAFE","NL00","","BA","Debit","4,50","Payment terminal","Card sequence no.: 1"
"20261112","ACME BV","NL00","NL01","OV","Credit","1500,00","Transfer","Salary"`,
    rows: ['2026-11-13 CORNER CAFE 450', '2026-11-12 ACME BV -150000'],
  },
  {
    bank: 'BancoEstado: no decimals, points between thousands',
    currency: 'CLP',
    file: `Fecha;N° Operación;Descripción;Cheques / Cargos $;Depósitos / Abonos $;Saldo $
13/11/2026;123;COMPRA CAFE ESQUINA;12.000;;88.000
12/11/2026;124;REMUNERACION;;1.500.000;100.000`,
    rows: ['2026-11-13 COMPRA CAFE ESQUINA 12000', '2026-11-12 REMUNERACION -1500000'],
  },
  {
    bank: 'a Chilean card: a single amount above a thousand, none above a million',
    currency: 'CLP',
    file: 'Fecha;Descripción;Monto\n13/11/2026;CAFE ESQUINA;-12.000\n14/11/2026;KIOSKO;$-500',
    rows: ['2026-11-13 CAFE ESQUINA 12000', '2026-11-14 KIOSKO 500'],
  },
  {
    bank: 'MUFG: Japanese titles, dates without leading zeros',
    currency: 'JPY',
    file: `"日付","摘要","摘要内容","支払い金額","預かり金額","差引残高","メモ","未資金化区分","入払区分"
"2026/11/3","カード","コーナーカフエ","1,234","","98,766","","","支払い"
"2026/11/12","給料","アクメ（カ","","150,000","248,766","","","預かり"`,
    rows: ['2026-11-03 コーナーカフエ 1234', '2026-11-12 アクメ（カ -150000'],
  },
  {
    bank: 'UBS: a typographic apostrophe between thousands, a delimiter at the end of each line',
    currency: 'CHF',
    file: `Kontonummer:;0123 00000000.01;
IBAN:;CH00;
Von:;2026-11-01;

Abschlussdatum;Abschlusszeit;Buchungsdatum;Valutadatum;Währung;Belastung;Gutschrift;Einzelbetrag;Saldo;Transaktions-Nr.;Beschreibung1;Beschreibung2;Beschreibung3;Fussnoten;
2026-11-13;10:11:12;2026-11-13;2026-11-13;CHF;-1’234.50;;;98.00;1;"CORNER CAFE; ZUERICH";"Debitkarte";"";;
2026-11-12;;2026-11-12;2026-11-12;CHF;;1’500.00;;1’332.50;2;"ACME AG";"Gutschrift";"";;`,
    rows: ['2026-11-13 CORNER CAFE; ZUERICH 123450', '2026-11-12 ACME AG -150000'],
  },
  {
    bank: 'PostFinance: the currency in the titles, text below the table',
    currency: 'CHF',
    file: `Datum von:;="2026-11-01"
Konto:;="CH00"

Datum;Bewegungstyp;Avisierungstext;Gutschrift in CHF;Lastschrift in CHF;Label;Kategorie
13.11.2026;Buchung;"Kauf CORNER CAFE ZUERICH";;-1'234.50;;Essen
12.11.2026;Gutschrift;"ACME AG";1'500.00;;;Lohn

Disclaimer:
"Der Inhalt stammt vom Kunden."`,
    rows: ['2026-11-13 Kauf CORNER CAFE ZUERICH 123450', '2026-11-12 ACME AG -150000'],
    options: { skipInvalid: true },
  },
  {
    bank: 'OTP: dates that end with a point',
    currency: 'HUF',
    file: `Tranzakció dátuma;Könyvelés dátuma;Típus;Bejövő/Kimenő;Partner neve;Partner számlaszáma/azonosítója;Költési kategória;Közlemény;Számla név;Számla szám;Összeg;Pénznem
2026.11.03. 10:11:12;2026.11.04.;Vásárlás kártyával;Kimenő;SAROK KAVEZO;;Étterem;;Fő számla;117;-1 234;HUF
2026.11.12.;2026.11.12.;Átutalás;Bejövő;ACME KFT;118;;Fizetés;Fő számla;117;1 500 000;HUF`,
    rows: ['2026-11-03 SAROK KAVEZO 1234', '2026-11-12 ACME KFT -1500000'],
  },
  {
    bank: 'Monzo: currency columns for the shop and the account',
    currency: 'GBP',
    file: `Transaction ID,Date,Time,Type,Name,Emoji,Category,Amount,Currency,Local amount,Local currency,Notes and #tags,Address,Receipt,Description,Category split,Money Out,Money In
tx_1,13/11/2026,10:11:12,Card payment,Corner Cafe,☕,Eating out,-4.50,GBP,-5.20,EUR,,"1 Square",,CORNER CAFE PARIS FRA,,-4.50,
tx_2,12/11/2026,08:00:00,Faster payment,ACME LTD,,Income,1500.00,GBP,1500.00,GBP,SALARY,,,ACME SALARY,,,1500.00`,
    rows: ['2026-11-13 CORNER CAFE PARIS FRA 450', '2026-11-12 ACME SALARY -150000'],
  },
  {
    bank: 'Starling',
    currency: 'GBP',
    file: `Date,Counter Party,Reference,Type,Amount (GBP),Balance (GBP),Spending Category,Notes
13/11/2026,Corner Cafe,CORNER CAFE LONDON GBR,CONTACTLESS,-4.50,95.50,EATING_OUT,
12/11/2026,ACME LTD,NOVEMBER,FASTER PAYMENT,100.00,100.00,INCOME,
14/11/2026,Book Barn,,CHIP & PIN,-20.00,75.50,SHOPPING,`,
    rows: ['2026-11-13 CORNER CAFE LONDON GBR 450', '2026-11-12 NOVEMBER -10000', '2026-11-14 Book Barn 2000'],
  },
  {
    bank: 'Nubank card: purchases are positive',
    currency: 'BRL',
    file: `date,title,amount
2026-11-13,Cafe da Esquina,4.50
2026-11-14,Livraria,1234.56
2026-11-12,Pagamento recebido,-100.00`,
    rows: ['2026-11-13 Cafe da Esquina 450', '2026-11-14 Livraria 123456', '2026-11-12 Pagamento recebido -10000'],
  },
  {
    bank: 'Nubank account',
    currency: 'BRL',
    file: `Data,Valor,Identificador,Descrição
13/11/2026,-4.50,1,Compra no débito - Cafe da Esquina
14/11/2026,-20.00,2,Compra no débito - Livraria
12/11/2026,1500.00,3,Transferência recebida pelo Pix - ACME`,
    rows: [
      '2026-11-13 Compra no débito - Cafe da Esquina 450',
      '2026-11-14 Compra no débito - Livraria 2000',
      '2026-11-12 Transferência recebida pelo Pix - ACME -150000',
    ],
  },
]

test('statement layouts from many banks are read correctly', async (t) => {
  for (const { bank, currency, file, rows, leftOut, options } of CASES) {
    await t.test(bank, () => {
      const read = readStatement(file, { currency, today: '2026-11-28', ...options })
      assert.deepEqual(
        read.rows.map(({ day, description, spent }) => `${day} ${description} ${spent}`),
        rows,
      )
      assert.deepEqual(read.leftOut, { pending: 0, void: 0, otherCurrency: 0, ...leftOut })
    })
  }
})
