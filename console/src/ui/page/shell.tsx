import MenuIcon from 'lucide-react/icons/menu'
import Moon from 'lucide-react/icons/moon'
import SearchIcon from 'lucide-react/icons/search'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { Mark } from '../mark.tsx'
import { toggleTheme } from './theme.ts'

// Only narrow screens need the side menu, and its gestures make up a tenth of all JavaScript.
const SideMenu = lazy(() => import('./side-menu.tsx'))

type Props = {
  readonly navigation: ReactNode
  readonly person: ReactNode
  readonly environment: ReactNode
  readonly onFind: () => void
  readonly children: ReactNode
}

function Brand() {
  return (
    <div className="flex h-14 items-center gap-2 px-5 text-brand">
      <Mark />
      <span className="font-semibold text-[15px] text-ink tracking-[-0.02em]">Laurel</span>
    </div>
  )
}

/** The sidebar, the top bar and the page. On small screens, a button opens the sidebar. */
export function Shell({ navigation, person, environment, onFind, children }: Props) {
  const [isMenuOpen, setMenuOpen] = useState(false)
  return (
    <div className="min-h-dvh lg:grid lg:grid-cols-[232px_minmax(0,1fr)]">
      <a
        href="#main"
        className="-translate-y-20 absolute top-2 left-2 z-30 rounded-md bg-brand px-3 py-2 text-on-brand focus:translate-y-0"
      >
        Skip to content
      </a>
      <aside className="sticky top-0 hidden h-dvh flex-col border-line border-r lg:flex">
        <Brand />
        <div className="min-h-0 flex-1 overflow-y-auto pb-4">{navigation}</div>
        {person}
      </aside>
      <div className="min-w-0">
        <header className="sticky top-0 z-10 flex h-14 items-center gap-2 border-line border-b bg-[color-mix(in_oklab,var(--canvas)_85%,transparent)] px-4 backdrop-blur lg:px-8">
          <button
            type="button"
            aria-label="Menu"
            aria-haspopup="dialog"
            aria-expanded={isMenuOpen}
            onClick={() => setMenuOpen(true)}
            className="-ml-2 grid size-11 shrink-0 place-items-center rounded-md lg:hidden"
          >
            <MenuIcon aria-hidden="true" className="size-5" />
          </button>
          {isMenuOpen && (
            <Suspense>
              <SideMenu onClose={() => setMenuOpen(false)}>
                <Brand />
                <div className="min-h-0 flex-1 overflow-y-auto pb-4">{navigation}</div>
                {person}
              </SideMenu>
            </Suspense>
          )}
          <button
            type="button"
            onClick={onFind}
            className="flex h-8 w-full max-w-72 cursor-default items-center gap-2 rounded-md bg-surface px-2.5 text-ink-3 text-sm shadow-card hover:bg-sunken max-sm:h-10"
          >
            <SearchIcon aria-hidden="true" className="size-4" /> Find anything
            <kbd className="ml-auto rounded border border-line px-1 font-sans text-[11px] max-sm:sr-only">⌘K</kbd>
          </button>
          <div className="ml-auto flex items-center gap-2">
            {environment}
            <button
              type="button"
              onClick={toggleTheme}
              aria-label="Change the theme"
              className="grid size-8 place-items-center rounded-md text-ink-2 hover:bg-sunken max-sm:size-11"
            >
              <Moon aria-hidden="true" className="size-4" />
            </button>
          </div>
        </header>
        <main id="main" tabIndex={-1} className="mx-auto max-w-[1280px] px-4 py-6 outline-none lg:px-8 lg:py-8">
          {children}
        </main>
      </div>
    </div>
  )
}
