import { ControlError } from './errors.ts'
import { announceUpdates, drop, put } from './feed.ts'
import { findRow, findRowThere } from './payers.ts'
import { applySign } from './purchases.ts'
import type { Transaction } from './state.ts'
import { type Purchase, redescribe } from './transactions.ts'
import type { World } from './world.ts'

/** Corrections by the bank or the provider: rows that change, disappear, and reappear under the same ids. */

type Correction = Partial<Omit<Purchase, 'pending' | 'currency'>>

/** Applies a correction to a row and marks the row as modified. Fields omitted from the correction do not change. */
export function changePurchase(world: World, transactionId: string, correction: Correction): Transaction {
  const { item, stored } = findRowThere(world, transactionId)
  const { row } = stored
  const changed: Transaction = {
    ...row,
    ...redescribe(row, correction),
    amount: applySign(correction.amount ?? Math.abs(row.amount), row),
    date: correction.date ?? correction.datetime?.slice(0, 10) ?? row.date,
    datetime: correction.datetime ?? row.datetime,
    authorized_date: correction.authorized_date ?? correction.authorized_datetime?.slice(0, 10) ?? row.authorized_date,
    authorized_datetime: correction.authorized_datetime ?? row.authorized_datetime,
  }
  put(item, { ...stored, row: changed })
  announceUpdates(world, item)
  return changed
}

/** Removes a posted row, as when the bank discovers a mistake. */
export function removePurchase(world: World, transactionId: string): Transaction {
  const { item, stored } = findRowThere(world, transactionId)
  if (stored.row.pending) throw new ControlError(409, 'STILL_PENDING', 'A pending purchase is voided, not removed.')
  drop(item, stored)
  announceUpdates(world, item)
  return stored.row
}

/** Restores a removed row, posted or pending, under its old id. */
export function bringBackPurchase(world: World, transactionId: string): Transaction {
  const { item, stored, removed } = findRow(world, transactionId)
  if (!removed)
    throw new ControlError(409, 'NOT_REMOVED', 'The row is still there; only a removed row can be brought back.')
  put(item, stored)
  announceUpdates(world, item)
  return stored.row
}
