import type { QueryClient } from '@tanstack/react-query'

/** Reloads everything that a payment changes. */
export async function refreshMoney(client: QueryClient): Promise<void> {
  const changed = ['payments', 'ledger', 'receivables', 'overview']
  await Promise.all(changed.map((name) => client.invalidateQueries({ queryKey: [name] })))
}
