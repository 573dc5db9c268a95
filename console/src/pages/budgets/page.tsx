import { Link } from '@tanstack/react-router'
import type { Schemas } from '../../api/client.ts'
import { Meter } from '../../charts/meter.tsx'
import { day, money, words } from '../../format.ts'
import { useList } from '../../lists/use-list.tsx'
import { Empty } from '../../ui/empty.tsx'
import { ListPage } from '../../ui/list/list-page.tsx'
import { Monogram } from '../../ui/monogram.tsx'
import { BUDGETS } from './queries.ts'

type Offer = Schemas['OfferBudgetsList']['content'][number]

/** The budgets of offers, the amount spent from each, and whether the rest will last until the period ends. */
export default function Budgets() {
  const { isFiltered, list } = useList(BUDGETS)
  return (
    <ListPage
      title="Budgets"
      lead="Spending in the current periods. The mark shows how much of the period has passed."
      {...list}
      filters={
        <>
          <h2 className="px-2 font-medium text-base">Offers with a budget</h2>
          {list.filters}
        </>
      }
      toKey={({ offer_uid }) => offer_uid}
      item={(offer) => <OfferBudgets offer={offer} />}
      empty={
        <Empty title={isFiltered ? 'No budget is nearly spent' : 'No offer has a budget'}>
          Budgets are part of offers in the catalog file. An offer whose budget is spent is not shown to users until the
          next period.
        </Empty>
      }
    />
  )
}

function OfferBudgets({ offer }: { readonly offer: Offer }) {
  return (
    <li className="grid gap-x-6 gap-y-3 px-5 py-4 md:grid-cols-[minmax(0,260px)_1fr]">
      <div className="flex min-w-0 gap-3">
        <Monogram name={offer.brand_name} />
        <div className="min-w-0">
          <Link
            to="/offers/$offer"
            params={{ offer: offer.offer_uid }}
            className="block truncate font-medium text-sm hover:underline"
          >
            {offer.name}
          </Link>
          <p className="truncate text-ink-3 text-xs">{offer.brand_name}</p>
        </div>
      </div>
      <ul className="space-y-3">
        {offer.budgets.map((budget) => (
          <BudgetRow
            key={`${budget.environment} ${budget.period}`}
            budget={budget}
            currency={offer.currency}
            name={offer.name}
          />
        ))}
      </ul>
    </li>
  )
}

type RowProps = { readonly budget: Schemas['OfferBudget']; readonly currency: string; readonly name: string }

function BudgetRow({ budget, currency, name }: RowProps) {
  const { environment, period, amount, spent, left, spent_percent, elapsed_percent, ends_on } = budget
  const pace =
    spent_percent >= 100
      ? 'Spent'
      : elapsed_percent !== null && spent_percent > elapsed_percent
        ? `Ahead of pace: ${spent_percent}% spent, ${elapsed_percent}% of the period over`
        : `${spent_percent}% spent`
  return (
    <li>
      <div className="num mb-1.5 flex flex-wrap justify-between gap-x-4 text-sm">
        <span className="text-ink-2">
          {words(period)}, {environment}
          {ends_on !== null && <span className="text-ink-3"> until {day(ends_on)}</span>}
        </span>
        <span>
          {money(spent, currency)} of {money(amount, currency)}
          <span className="text-ink-3">, {money(left, currency)} left</span>
        </span>
      </div>
      <Meter
        label={`${name}, ${words(period).toLowerCase()}`}
        percent={spent_percent}
        expected={elapsed_percent ?? undefined}
        text={pace}
      />
      <p className="mt-1 text-ink-3 text-xs">{pace}</p>
    </li>
  )
}
