type Published = { readonly publisher_id: string | null; readonly required_from: string }
export type Standing = 'announced' | 'required' | 'superseded'

/**
 * Returns the status of a revision. A revision is required from its date until a later one in the same series is
 * required.
 * @param all revisions, in order of publication
 */
export function findStanding(document: Published, all: readonly Published[], now = Date.now()): Standing {
  const isRequired = ({ required_from }: Published) => Date.parse(required_from) <= now
  if (!isRequired(document)) return 'announced'
  const last = all.findLast((one) => one.publisher_id === document.publisher_id && isRequired(one))
  return last === document ? 'required' : 'superseded'
}
