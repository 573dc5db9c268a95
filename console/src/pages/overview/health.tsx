import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Schemas } from '../../api/client.ts'
import { ago, count, percent, plural } from '../../format.ts'

type Overview = Schemas['Overview']
const WEEK = 7

/** Shows whether purchases arrive and are matched to brands, and whether webhooks reach publishers. */
export function Health({ overview, publisherId }: { readonly overview: Overview; readonly publisherId: string }) {
  const { intake, matching, feeds, webhooks } = overview
  const sum = (days: Overview['intake']) => days.reduce((total, { transactions }) => total + transactions, 0)
  const [week, before] = [sum(intake.slice(-WEEK)), sum(intake.slice(-2 * WEEK, -WEEK))]
  const sent = webhooks.delivered + webhooks.exhausted
  const params = { publisher: publisherId }
  return (
    <section
      aria-label="Health"
      className="mb-5 grid gap-px overflow-hidden rounded-lg bg-line shadow-card sm:grid-cols-2 xl:grid-cols-4"
    >
      <Tile
        label={
          <Link to="/publishers/$publisher/transactions" params={params} className="row-link">
            Purchases, last 7 days
          </Link>
        }
        value={count(week)}
        note={`${count(before)} the week before`}
      />
      <Tile
        label={
          <Link to="/reviews" className="row-link">
            Brand found
          </Link>
        }
        value={matching.examined === 0 ? '–' : percent(matching.matched / matching.examined)}
        note={
          matching.examined === 0
            ? 'No purchases yet'
            : `${count(matching.unmatched)} of the newest ${count(matching.examined)} unmatched`
        }
      />
      <Tile
        label={
          <Link to="/broken-logins" search={{ publisher_id: publisherId }} className="row-link">
            Card feeds read, last 24 hours
          </Link>
        }
        value={feeds.linked === 0 ? '–' : percent(feeds.read_lately / feeds.linked)}
        note={
          feeds.linked === 0
            ? 'No card feeds'
            : feeds.oldest_read_at === null
              ? `${plural(feeds.never_read, 'feed')} not read yet`
              : `Oldest read ${ago(feeds.oldest_read_at)}`
        }
        bad={feeds.linked > 0 && feeds.read_lately < feeds.linked}
      />
      <Tile
        label={
          <Link to="/publishers/$publisher/webhooks" params={params} className="row-link">
            Webhooks delivered
          </Link>
        }
        value={sent === 0 ? '–' : percent(webhooks.delivered / sent)}
        note={
          webhooks.endpoints === 0
            ? 'No endpoints'
            : `${plural(webhooks.endpoints, 'endpoint')}, ${count(webhooks.failing)} failing, ${count(webhooks.stopped)} stopped`
        }
        bad={webhooks.failing + webhooks.stopped > 0}
      />
    </section>
  )
}

type TileProps = { readonly label: ReactNode; readonly value: string; readonly note: string; readonly bad?: boolean }

function Tile({ label, value, note, bad = false }: TileProps) {
  return (
    <div className="relative bg-surface p-5 hover:bg-sunken/60">
      <h2 className="text-ink-2 text-sm">{label}</h2>
      <p className="num mt-1.5 font-semibold text-xl tracking-[-0.02em]">{value}</p>
      <p className={`mt-1 text-xs ${bad ? 'text-bad' : 'text-ink-3'}`}>{note}</p>
    </div>
  )
}
