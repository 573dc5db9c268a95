import { Button } from './button.tsx'
import { Card } from './card.tsx'
import { Empty } from './empty.tsx'

type Props = { readonly error: unknown; readonly title?: string }

/** Instead of a page that could not be loaded. */
export function Failure({ error, title = 'This page could not be loaded' }: Props) {
  const again = <Button onClick={() => location.reload()}>Try again</Button>
  return (
    <Card role="alert">
      <Empty title={title} action={again}>
        {error instanceof Error ? error.message : 'Nothing more is known.'}
      </Empty>
    </Card>
  )
}

/** Stands alone: an address that leads nowhere belongs to no part of the console. */
export function NotFound() {
  const home = (
    <a className="text-brand-ink underline" href="/console">
      Go to the overview
    </a>
  )
  return (
    <main className="mx-auto max-w-xl px-4 py-24">
      <Card>
        <Empty title="There is no such page" action={home}>
          Check the address.
        </Empty>
      </Card>
    </main>
  )
}
