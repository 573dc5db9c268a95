import { useState } from 'react'

/**
 * Tracks the edits in a form. Each edit keeps the value that was loaded when it began, so that a save can tell the
 * service which value the person saw, even if the data has been reloaded since. Fields without edits follow the latest
 * data.
 * @param read the values as last loaded
 * @param buildDraft converts them into the values of the form's controls
 */
export function useEdits<Read extends object, Draft extends object>(read: Read, buildDraft: (read: Read) => Draft) {
  type Name = keyof Read & keyof Draft
  const [typed, setTyped] = useState<Partial<Draft>>({})
  const [began, setBegan] = useState<Partial<Read>>({})
  const seen: Read = { ...read, ...began }
  const before = buildDraft(seen)
  const draft: Draft = { ...before, ...typed }
  const changed = toNames<Name>(began).filter((name) => JSON.stringify(draft[name]) !== JSON.stringify(before[name]))
  const edit = <Edited extends Name>(name: Edited, value: Draft[Edited]) => {
    setTyped((old) => ({ ...old, [name]: value }))
    setBegan((old) => (name in old ? old : { ...old, [name]: read[name] }))
  }
  return {
    draft,
    /** The loaded values as this person saw them. */
    seen,
    changed,
    edit,
    /** Connects a field: `<TextField {...field('name')} …>`. */
    field: <Edited extends Name & string>(name: Edited) => ({
      name,
      value: draft[name],
      onChange: (value: Draft[Edited]) => edit(name, value),
    }),
    /** Rebases the edits on the current data once the person has been notified that somebody else changed it. */
    rebase: (fresh: Read | undefined) => {
      if (fresh !== undefined) setBegan((old) => pick(fresh, toNames<keyof Read>(old)) as Partial<Read>)
    },
    clear: () => {
      setTyped({})
      setBegan({})
    },
  }
}

const toNames = <Name extends PropertyKey>(record: object) => Object.keys(record) as Name[]

export function pick<Whole extends object, Name extends keyof Whole>(
  whole: Whole,
  names: readonly Name[],
): Pick<Whole, Name> {
  return Object.fromEntries(names.map((name) => [name, whole[name]])) as Pick<Whole, Name>
}
