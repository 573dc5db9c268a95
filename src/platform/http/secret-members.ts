import Type from 'typebox'

/** A response value that is shown once or only on explicit request. Change logs omit it. */
export const secretField = (description?: string) =>
  Type.String({ format: 'password', ...(description === undefined ? {} : { description }) })

type MarkedSchema = {
  readonly format?: string
  readonly properties?: Readonly<Record<string, MarkedSchema>>
  readonly items?: MarkedSchema
  readonly anyOf?: readonly MarkedSchema[]
}

/** Removes the members that the schema marks as secret from a response. */
export function withoutSecrets(schema: object, answer: unknown): unknown {
  if (Array.isArray(answer)) {
    const { items = {} } = (alternativesOf(schema).find((part) => part.items !== undefined) ?? {}) as MarkedSchema
    return answer.map((item) => withoutSecrets(items, item))
  }
  if (typeof answer !== 'object' || answer === null) return answer
  const members: Readonly<Record<string, MarkedSchema>> = Object.assign(
    {},
    ...alternativesOf(schema).map(({ properties }) => properties),
  )
  const isSecret = (name: string) => alternativesOf(members[name] ?? {}).some(({ format }) => format === 'password')
  const shown = Object.entries(answer).filter(([name]) => !isSecret(name))
  return Object.fromEntries(shown.map(([name, value]) => [name, withoutSecrets(members[name] ?? {}, value)]))
}

function alternativesOf(part: MarkedSchema): readonly MarkedSchema[] {
  return [part, ...(part.anyOf ?? []).flatMap(alternativesOf)]
}
