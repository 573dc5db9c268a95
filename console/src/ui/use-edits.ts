import { useState } from 'react'

/**
 * What somebody changes in a form. Each edit keeps the value that was read when it began, so that saving can say what
 * the person saw, however often the form's data are read again meanwhile. What nobody edits follows the newest data.
 * @param read the members as the service last gave them
 * @param draftOf what the form's controls contain for them
 */
export function useEdits<Read extends object, Draft extends object>(read: Read, draftOf: (read: Read) => Draft) {
  type Name = keyof Read & keyof Draft
  const [typed, setTyped] = useState<Partial<Draft>>({})
  const [began, setBegan] = useState<Partial<Read>>({})
  const seen: Read = { ...read, ...began }
  const before = draftOf(seen)
  const draft: Draft = { ...before, ...typed }
  const changed = namesOf<Name>(began).filter((name) => JSON.stringify(draft[name]) !== JSON.stringify(before[name]))
  return {
    draft,
    /** The members as this person saw them. */
    seen,
    changed,
    edit: <Edited extends Name>(name: Edited, value: Draft[Edited]) => {
      setTyped((old) => ({ ...old, [name]: value }))
      setBegan((old) => (name in old ? old : { ...old, [name]: read[name] }))
    },
    /** Somebody else has changed them: the person has been told, and edits what is there now. */
    rebase: (fresh: Read | undefined) => {
      if (fresh !== undefined) setBegan((old) => pick(fresh, namesOf<keyof Read>(old)) as Partial<Read>)
    },
    clear: () => {
      setTyped({})
      setBegan({})
    },
  }
}

const namesOf = <Name extends PropertyKey>(record: object) => Object.keys(record) as Name[]

export function pick<Whole extends object, Name extends keyof Whole>(
  whole: Whole,
  names: readonly Name[],
): Pick<Whole, Name> {
  return Object.fromEntries(names.map((name) => [name, whole[name]])) as Pick<Whole, Name>
}
