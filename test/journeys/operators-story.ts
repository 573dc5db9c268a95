// biome-ignore lint/suspicious/noExplicitAny: answers are checked against their schemas, which the compiler cannot know
type Ask = (operationId: string, address: string, body?: object) => Promise<any>

/** What operators ask about all publishers. */
export async function tellOfOperators(ask: Ask): Promise<void> {
  await ask('listAllUsers', '/operator/users')
  await ask('listAllTransactions', '/operator/transactions')
}
