/** Comparator for sorting. Text is ordered by code unit, independent of locale. */
export function compare<Value extends string | number | bigint>(a: Value, b: Value): number {
  return a < b ? -1 : a > b ? 1 : 0
}
