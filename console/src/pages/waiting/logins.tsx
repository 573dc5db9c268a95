import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { Schemas } from '../../api/client.ts'
import { brokenLogins } from '../../api/operations-queries.ts'
import { ago, plural, words } from '../../format.ts'
import { PublisherFilter, usePublisherName } from '../../publisher-filter.tsx'
import { Card } from '../../ui/card.tsx'
import { Empty } from '../../ui/empty.tsx'
import { FilterBar } from '../../ui/list/filters.tsx'
import { More } from '../../ui/list/more.tsx'
import { type Column, DataTable } from '../../ui/list/table.tsx'
import { Monogram } from '../../ui/monogram.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { Pill } from '../../ui/pill.tsx'

type Login = Schemas['BrokenLogin']
const route = getRouteApi('/guarded/broken-logins')

/** Linked logins that do not work. Only their user can repair one. */
export default function BrokenLogins() {
  const { publisher } = route.useSearch()
  const navigate = route.useNavigate()
  const nameOf = usePublisherName()
  const query = useInfiniteQuery(brokenLogins(publisher))
  const rows = query.data?.pages.flatMap(({ content }) => content) ?? []
  const user = ({ publisher_id, publisher_user_id }: Login) => (
    <Link
      to="/publishers/$publisher/transactions"
      params={{ publisher: publisher_id }}
      search={{ user: publisher_user_id }}
      className="row-link block truncate font-medium"
    >
      {publisher_user_id}
    </Link>
  )
  const columns: Column<Login>[] = [
    {
      header: 'User',
      cell: (login) => (
        <div className="flex max-w-60 items-center gap-2.5">
          <Monogram name={login.publisher_user_id} />
          {user(login)}
        </div>
      ),
    },
    { header: 'Problem', cell: ({ error }) => <Pill tone="bad">{words(error)}</Pill> },
    { header: 'Bank', cell: ({ institution_name }) => institution_name },
    { header: 'Cards', align: 'right', cell: ({ card_ids }) => card_ids.length },
    { header: 'Publisher', wideOnly: true, cell: ({ publisher_id }) => nameOf(publisher_id) },
    {
      header: 'Since',
      cell: ({ broken_since: since }) => (
        <span className="text-ink-2">{since === null ? 'Not asked' : ago(since)}</span>
      ),
    },
  ]
  return (
    <>
      <PageHeader
        title="Broken logins"
        lead="Purchases on these cards are not seen until the user repairs the login, in a link session that the publisher opens."
      />
      <Card>
        <FilterBar>
          <PublisherFilter
            value={publisher}
            onChange={(value) => navigate({ search: value === undefined ? {} : { publisher: value }, replace: true })}
          />
        </FilterBar>
        <DataTable
          caption="Logins that do not work, the newest first"
          columns={columns}
          rows={rows}
          keyOf={({ svc_user_id, card_ids, linked_at }) => `${svc_user_id} ${linked_at} ${card_ids[0]}`}
          stale={query.isPlaceholderData}
          empty={<Empty title="Every login works">When a bank asks a user to sign in again, it appears here.</Empty>}
          card={(login) => (
            <>
              <Monogram name={login.publisher_user_id} size="large" />
              <div className="min-w-0 flex-1">
                {user(login)}
                <div className="mt-0.5 text-ink-3 text-xs">
                  {login.institution_name}, {plural(login.card_ids.length, 'card')}
                </div>
              </div>
              <Pill tone="bad">{words(login.error)}</Pill>
            </>
          )}
        />
        <More query={query} />
      </Card>
    </>
  )
}
