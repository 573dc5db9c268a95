// The codes with which banks report that money did not arrive or that an account has changed: those defined for
// credits, and a few others used in practice.

type CodeFact = { readonly meaning: string; readonly isDestinationFault: boolean }

const destination = (meaning: string): CodeFact => ({ meaning, isDestinationFault: true })
const other = (meaning: string): CodeFact => ({ meaning, isDestinationFault: false })

const CODES: Readonly<Record<string, CodeFact>> = {
  // NACHA returns
  R01: other('The account had insufficient funds.'),
  R02: destination('The account is closed.'),
  R03: destination('There is no such account, or its holder has a different name.'),
  R04: destination('The account number is invalid.'),
  R06: other('The sending bank asked for the money back.'),
  R07: other('The account holder revoked the authorization.'),
  R08: other('The account holder stopped the payment.'),
  R09: other('The funds in the account had not been collected yet.'),
  R10: other('The account holder says that they did not authorize the payment.'),
  R11: other('The payment does not match what the account holder authorized.'),
  R12: destination('The branch now belongs to another bank.'),
  R13: destination('The routing number does not belong to a participating bank.'),
  R14: destination('The person who receives money on behalf of the account holder has died or can no longer act.'),
  R15: destination('The account holder has died.'),
  R16: destination('The account is frozen.'),
  R17: destination("The bank could not process the payment's fields; the account may be wrong or suspicious."),
  R18: other('The payment date was not allowed.'),
  R19: other('The amount field is invalid.'),
  R20: destination('The account does not accept such payments.'),
  R21: other("The paying company's id is invalid."),
  R22: other("The bank does not recognize the recipient's id."),
  R23: other('The account holder refused the money.'),
  R24: other('The payment is a duplicate.'),
  R25: other('The addenda record of the payment is invalid.'),
  R26: other('A required field of the payment was missing.'),
  R27: other('The trace number of the payment is invalid.'),
  R28: destination('The check digit of the routing number is wrong.'),
  R29: other('The company that holds the account did not authorize the payment.'),
  R30: other('The bank does not participate in this kind of payment.'),
  R31: other("The bank returned the payment late, with the sending bank's permission."),
  R32: other('The bank cannot settle payments at the moment.'),
  R33: other('The bank returned the payment at its discretion.'),
  R34: other("A regulator has limited the bank's participation in payments."),
  R35: other('The kind of payment was not allowed.'),
  // NACHA notifications of change
  C01: destination('The account number has changed.'),
  C02: destination('The routing number has changed.'),
  C03: destination('The routing number and the account number have changed.'),
  C04: other("The account holder's name has changed."),
  C05: destination('The account is of the other type (checking or savings).'),
  C06: destination('The account number and the account type have changed.'),
  C07: destination('The routing number, the account number and the account type have changed.'),
  C09: other("The recipient's id was wrong."),
  C13: other('The addenda record of the payment is invalid.'),
  // ISO 20022 external reason codes
  AC01: destination('The account number is wrong or missing.'),
  AC02: other("The payer's account number is wrong or missing."),
  AC03: destination("The recipient's account number is wrong or missing."),
  AC04: destination('The account is closed.'),
  AC05: other("The payer's account is closed."),
  AC06: destination('The account is blocked.'),
  AC07: destination("The recipient's account is closed."),
  AC13: other("The payer's account is of the wrong type."),
  AC14: destination("The recipient's account is of the wrong type."),
  AG01: destination('The account does not accept such payments.'),
  AG02: other('The kind of payment was not allowed.'),
  AM01: other('The amount is zero.'),
  AM02: other('The amount exceeds the limit.'),
  AM03: other('The currency is not allowed.'),
  AM04: other("The payer's account had insufficient funds."),
  AM05: other('The payment is a duplicate.'),
  AM09: other('The amount is not what was agreed.'),
  AM10: other('The control sum does not match the amounts.'),
  BE01: destination('The name does not match the account.'),
  BE04: other("The recipient's address is missing or wrong."),
  BE05: other('The bank does not recognize the party that sent the file.'),
  BE06: destination('The bank does not recognize the recipient.'),
  CNOR: destination("The recipient's bank does not participate in this kind of payment."),
  CUST: other('A customer requested it.'),
  DNOR: other("The payer's bank does not participate in this kind of payment."),
  DT01: other('A date is wrong.'),
  DUPL: other('The payment is a duplicate.'),
  ED05: other('The banks could not settle the payment.'),
  FF01: other('The file has an invalid format.'),
  FOCR: other('The money came back because the payer recalled it.'),
  FR01: other('The payment looks like fraud.'),
  FRAD: other('The payment is fraudulent.'),
  MD07: destination('The account holder has died.'),
  MS02: other('The recipient refused the payment without giving a reason.'),
  MS03: other("The recipient's bank refused the payment without giving a reason."),
  NARR: other('See the message.'),
  RC01: destination('The BIC is wrong.'),
  RC03: other("The payer's bank is identified incorrectly."),
  RC04: destination("The recipient's bank is identified incorrectly."),
  RR01: other("The payer's account number or id, which the law requires, is missing."),
  RR02: other("The payer's name or address, which the law requires, is missing."),
  RR03: other("The recipient's name or address, which the law requires, is missing."),
  RR04: other('A legal obligation forbids the payment.'),
  SL01: other('An agreement between the bank and its customer forbids the payment.'),
  TM01: other('The file arrived after the cutoff time.'),
}

const facts = new Map(Object.entries(CODES))

/** Returns a sentence that explains the code, or null if it is unknown. */
export function findCodeMeaning(code: string): string | null {
  return facts.get(code)?.meaning ?? null
}

/** Returns true if the account itself is wrong, so that another payment to it would fail too. */
export function isDestinationFault(code: string): boolean {
  return facts.get(code)?.isDestinationFault ?? false
}
