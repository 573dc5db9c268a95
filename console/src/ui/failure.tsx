import { Button } from './button.tsx'
import { Card } from './card.tsx'
import { Empty } from './empty.tsx'

/** A page that could not be loaded. */
export function Failure({ error }: { readonly error: unknown }) {
  const again = <Button onClick={() => location.reload()}>Try again</Button>
  return (
    <Card role="alert">
      <Empty title="This page could not be loaded" action={again}>
        {error instanceof Error ? error.message : 'Nothing more is known.'}
      </Empty>
    </Card>
  )
}

export function NotFound() {
  return (
    <Card>
      <Empty title="There is no such page">Look at the address again, or find what you seek with ⌘K.</Empty>
    </Card>
  )
}
