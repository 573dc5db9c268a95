import { plural } from '../../format.ts'

type Counts = { readonly added: number; readonly changed: number; readonly retired: number }
type Sums = { readonly brands: Counts; readonly offers: Counts }

export const countRetired = ({ brands, offers }: Sums): number => brands.retired + offers.retired

/** Summarizes the changes by severity, starting with retirements. */
export function buildTitle({ brands, offers }: Sums): string {
  const parts = [
    brands.retired > 0 && `retire ${plural(brands.retired, 'brand')}`,
    offers.retired > 0 && `retire ${plural(offers.retired, 'offer')}`,
    brands.added > 0 && `add ${plural(brands.added, 'brand')}`,
    offers.added > 0 && `add ${plural(offers.added, 'offer')}`,
    brands.changed > 0 && `change ${plural(brands.changed, 'brand')}`,
    offers.changed > 0 && `change ${plural(offers.changed, 'offer')}`,
  ].filter((part) => part !== false)
  const text = parts.join(', ') || 'import a file that changes nothing'
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}?`
}

/** Returns the phrase to type. It includes the number of retirements so that nobody can overlook it. */
export function buildConfirmation(outcome: Sums): string | undefined {
  const retired = countRetired(outcome)
  return retired === 0 ? undefined : `retire ${retired}`
}
