import { type RefObject, useRef } from 'react'
import { Button } from '../button.tsx'
import { Card } from '../card.tsx'
import { Empty } from '../empty.tsx'
import { usePageTitle } from './page-title.tsx'

type Props = { readonly error: unknown; readonly title?: string }

/** Replaces a page that could not be loaded. */
export function Failure({ error, title = 'This page could not be loaded' }: Props) {
  const heading = useRef<HTMLHeadingElement>(null)
  usePageTitle(heading)
  const again = <Button onClick={() => location.reload()}>Try again</Button>
  return (
    <Card role="alert">
      <Empty title={<Heading title={title} of={heading} />} action={again}>
        {error instanceof Error ? error.message : 'No further details are available.'}
      </Empty>
    </Card>
  )
}

/** Shown for paths that do not exist and so belong to no section of the console. */
export function NotFound() {
  const heading = useRef<HTMLHeadingElement>(null)
  usePageTitle(heading)
  const home = (
    <a className="text-brand-ink underline" href="/console">
      Go to the overview
    </a>
  )
  return (
    <main className="mx-auto max-w-xl px-4 py-24">
      <Card>
        <Empty title={<Heading title="Page not found" of={heading} />} action={home}>
          Check the address.
        </Empty>
      </Card>
    </main>
  )
}

type HeadingProps = { readonly title: string; readonly of: RefObject<HTMLHeadingElement | null> }

function Heading({ title, of }: HeadingProps) {
  return (
    <h1 ref={of} tabIndex={-1} className="outline-none">
      {title}
    </h1>
  )
}
