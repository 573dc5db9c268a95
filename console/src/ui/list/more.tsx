import { Button } from '../button.tsx'

type Props = {
  readonly label?: string | undefined
  readonly query: {
    readonly hasNextPage: boolean
    readonly isFetchingNextPage: boolean
    readonly fetchNextPage: () => unknown
  }
}

/** A button below a paginated list that loads the next rows, if there are any. */
export function More({ label = 'Show more', query: { hasNextPage, isFetchingNextPage, fetchNextPage } }: Props) {
  if (!hasNextPage) return null
  return (
    <div className="border-line border-t p-3 text-center">
      <Button busy={isFetchingNextPage} onClick={() => fetchNextPage()}>
        {label}
      </Button>
    </div>
  )
}
