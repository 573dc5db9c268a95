import { type ReactNode, useRef } from 'react'
import { Mark } from '../mark.tsx'
import { usePageTitle } from './page-title.tsx'

type Props = {
  readonly title: string
  readonly lead?: ReactNode
  readonly children: ReactNode
  readonly foot?: ReactNode
}

/** A page for people who are not signed in, with a single card in the middle. */
export function Entrance({ title, lead, children, foot }: Props) {
  const heading = useRef<HTMLHeadingElement>(null)
  usePageTitle(heading)
  return (
    <main className="grid min-h-dvh place-items-center px-4 py-10">
      <div className="w-full max-w-sm">
        <div className="mb-6 flex items-center justify-center gap-2 text-brand">
          <Mark className="size-8" />
          <span className="font-semibold text-ink text-xl tracking-[-0.02em]">Laurel</span>
        </div>
        <div className="rounded-xl bg-surface p-6 shadow-card">
          <h1 ref={heading} tabIndex={-1} className="font-semibold text-xl tracking-[-0.02em] outline-none">
            {title}
          </h1>
          {lead && <p className="mt-1 text-ink-2">{lead}</p>}
          <div className="mt-5">{children}</div>
        </div>
        {foot && <div className="mt-4 text-center text-ink-2 text-sm">{foot}</div>}
      </div>
    </main>
  )
}
