import { useSuspenseQuery } from '@tanstack/react-query'
import { Link, Outlet } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState } from 'react'
import { me } from './api/queries.ts'
import { words } from './format.ts'
import { Navigation } from './navigation.tsx'
import { usePublisher } from './publisher.ts'
import { Monogram } from './ui/monogram.tsx'
import { Shell } from './ui/page/shell.tsx'

// The finder is a tenth of all JavaScript, so it is loaded on first use.
const Finder = lazy(() => import('./finder.tsx'))

/** Opens the finder on ⌘K or Ctrl-K, wherever the focus is. */
function useFinderKey(onOpen: () => void): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key !== 'k' || !(event.metaKey || event.ctrlKey)) return
      event.preventDefault()
      onOpen()
    }
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  })
}

/** The frame around every page that requires signing in. */
export function Layout() {
  const [finding, setFinding] = useState(false)
  useFinderKey(() => setFinding(true))
  return (
    <Shell
      navigation={<Navigation />}
      person={<Person />}
      environment={<EnvironmentPill />}
      onFind={() => setFinding(true)}
    >
      <PasswordReminder />
      <Outlet />
      {finding && (
        <Suspense>
          <Finder onClose={() => setFinding(false)} />
        </Suspense>
      )}
    </Shell>
  )
}

/** Reminds people without a password to set one, because a sign-in link works only once. */
function PasswordReminder() {
  const { data } = useSuspenseQuery(me)
  if (data.has_password) return null
  return (
    <p className="mb-5 rounded-md bg-wait-soft px-4 py-2.5 text-sm text-wait">
      You signed in with a one-time link and have no password yet.{' '}
      <Link to="/account" className="font-medium underline underline-offset-2">
        Set a password
      </Link>{' '}
      so that you can sign in again.
    </p>
  )
}

function EnvironmentPill() {
  const publisher = usePublisher()
  if (publisher === null) return null
  const isSandbox = publisher.environment === 'sandbox'
  return (
    <span className="inline-flex h-6 items-center gap-1.5 rounded-full border border-line bg-surface px-2 text-ink-2 text-xs">
      <span aria-hidden="true" className={`size-1.5 rounded-full ${isSandbox ? 'bg-gold' : 'bg-brand'}`} />
      {words(publisher.environment)}
    </span>
  )
}

function Person() {
  const { data } = useSuspenseQuery(me)
  return (
    <Link to="/account" className="flex items-center gap-2.5 border-line border-t p-4 hover:bg-sunken/60">
      <Monogram name={data.name} />
      <span className="min-w-0 leading-tight">
        <span className="block truncate font-medium text-sm">{data.name}</span>
        <span className="text-ink-3 text-xs">{words(data.role)}</span>
        <span className="sr-only">, your account</span>
      </span>
    </Link>
  )
}
