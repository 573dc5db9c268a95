import ChevronLeft from 'lucide-react/icons/chevron-left'
import ChevronRight from 'lucide-react/icons/chevron-right'
import { count } from '../../format.ts'
import { Button } from '../button.tsx'

/** The position of a page among all pages, as the API describes it. */
export type Paging = {
  readonly page: number
  readonly size: number
  readonly number_of_elements: number
  readonly total_elements: number
}

type Props = {
  readonly paging: Paging
  /** The text for an empty list. */
  readonly none: string
  /** The noun for what is counted, if it differs from what the page shows. */
  readonly counted?: string
  readonly onPage: (page: number) => void
}

/** Shows the range of rows on the page, such as `1–30 of 812`, and links to the adjacent pages. */
export function Pager({ paging, none, counted = '', onPage }: Props) {
  const { page, size, number_of_elements: shown, total_elements: total } = paging
  const first = page * size
  const range = `${counted} ${count(first + 1)}–${count(first + shown)} of ${count(total)}`
  return (
    <div className="flex items-center gap-2 border-line border-t px-5 py-2.5 text-ink-2 text-sm">
      <p aria-live="polite" className="num">
        {total === 0 ? none : range.trim()}
      </p>
      <Button
        icon
        className="ml-auto"
        aria-label="Previous page"
        disabled={page === 0}
        onClick={() => onPage(page - 1)}
      >
        <ChevronLeft aria-hidden="true" className="size-4" />
      </Button>
      <Button icon aria-label="Next page" disabled={first + size >= total} onClick={() => onPage(page + 1)}>
        <ChevronRight aria-hidden="true" className="size-4" />
      </Button>
    </div>
  )
}
