import Type from 'typebox'

/** A response value that is returned only once or only on explicit request. Change logs omit it. */
export const secretField = (description?: string) =>
  Type.String({ format: 'password', ...(description === undefined ? {} : { description }) })

type MarkedSchema = {
  readonly format?: string
  readonly properties?: Readonly<Record<string, MarkedSchema>>
  readonly items?: MarkedSchema
  readonly anyOf?: readonly MarkedSchema[]
}

/** Removes the members that the schema marks as secret from a response. */
export function removeSecrets(schema: object, answer: unknown): unknown {
  if (Array.isArray(answer)) {
    const { items = {} } = (collectAlternatives(schema).find((part) => part.items !== undefined) ?? {}) as MarkedSchema
    return answer.map((item) => removeSecrets(items, item))
  }
  if (typeof answer !== 'object' || answer === null) return answer
  const members: Readonly<Record<string, MarkedSchema>> = Object.assign(
    {},
    ...collectAlternatives(schema).map(({ properties }) => properties),
  )
  const isSecret = (name: string) =>
    collectAlternatives(members[name] ?? {}).some(({ format }) => format === 'password')
  const shown = Object.entries(answer).filter(([name]) => !isSecret(name))
  return Object.fromEntries(shown.map(([name, value]) => [name, removeSecrets(members[name] ?? {}, value)]))
}

function collectAlternatives(part: MarkedSchema): readonly MarkedSchema[] {
  return [part, ...(part.anyOf ?? []).flatMap(collectAlternatives)]
}
