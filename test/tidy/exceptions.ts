type Finding = { readonly place: string; readonly what: string }

/**
 * Compares findings with the number of exceptions allowed per place. The numbers may only shrink, so a number that is
 * too high is also reported.
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
