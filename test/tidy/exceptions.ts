type Finding = { readonly place: string; readonly what: string }

/**
 * Compares findings with a list of exceptions counted by place. Counts may only shrink, so a count that is too high is
 * also a fault.
 */
export function findBeyond(findings: readonly Finding[], most: Readonly<Record<string, number>>): string[] {
  const found = Map.groupBy(findings, ({ place }) => place)
  return [...new Set([...found.keys(), ...Object.keys(most)])].flatMap((place) => {
    const all = (found.get(place) ?? []).map(({ what }) => what)
    const allowed = most[place] ?? 0
    if (all.length > allowed) return [`${place}: ${all.length}, where ${allowed} are allowed: ${all.join('; ')}`]
    return all.length < allowed ? [`${place}: the list of exceptions allows ${allowed}; lower it to ${all.length}`] : []
  })
}
