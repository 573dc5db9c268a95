/** The order of two values, to sort by. Texts are in the order of their code units, independent of any language. */
export function compare<Value extends string | number | bigint>(a: Value, b: Value): number {
  return a < b ? -1 : a > b ? 1 : 0
}
