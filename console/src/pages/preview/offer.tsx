import { Monogram } from '../../ui/monogram.tsx'

type Props = {
  readonly brand: string
  readonly name: string
  /** The formatted reward, such as `5%` or `up to $12.00`. */
  readonly reward: string
  readonly cashback: boolean
  readonly description?: string | null | undefined
  /** The label of the user's next step; null if they only need to pay. */
  readonly button: string | null
}

/** An offer as a card in a user's app. It is only a mock-up, so its buttons do nothing. */
export function OfferPreview({ brand, name, reward, cashback, description, button }: Props) {
  return (
    <article className="flex h-full flex-col overflow-hidden rounded-xl bg-surface shadow-card">
      <div aria-hidden="true" className="h-14 shrink-0 bg-gradient-to-br from-brand/60 to-gold/50" />
      <div className="relative flex flex-1 flex-col px-4 pb-4">
        <div className="-mt-7 w-fit rounded-lg bg-surface p-1 shadow-card">
          <Monogram name={brand} size="large" />
        </div>
        <p className="mt-2 text-ink-2 text-sm">{brand}</p>
        <p className="font-semibold text-lg tracking-[-0.01em]">
          {reward === '' ? name : `${reward} ${cashback ? 'cashback' : 'off'}`}
        </p>
        {description && <p className="mt-1 mb-3 line-clamp-3 text-ink-2 text-sm">{description}</p>}
        {button !== null && (
          <span className="mt-auto grid h-9 place-items-center rounded-md bg-brand font-medium text-on-brand text-sm">
            {button}
          </span>
        )}
      </div>
    </article>
  )
}
