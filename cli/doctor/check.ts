/** The result of one check, with a remedy if it failed. */
export type Check = {
  readonly name: string
  readonly ok: boolean
  readonly detail: string
  readonly remedy: string | null
}

export function pass(name: string, detail: string): Check {
  return { name, ok: true, detail, remedy: null }
}

export function fail(name: string, detail: string, remedy: string): Check {
  return { name, ok: false, detail, remedy }
}
