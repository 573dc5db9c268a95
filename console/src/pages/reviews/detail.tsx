import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Schemas } from '../../api/client.ts'
import { dateTime, percent, plural, words } from '../../format.ts'
import { shorten } from '../../ui/copyable.tsx'
import { Monogram } from '../../ui/monogram.tsx'

/** Returns the name of the proposed brand, or its id if the brand is no longer in the catalog. */
export function getBrandName({ proposed_brand_name, proposed_brand_uid }: Schemas['OperatorReview']): string {
  return proposed_brand_name ?? proposed_brand_uid
}

/** The evidence for the brand, and the purchases that a reviewer may inspect. */
export function ReviewDetail({ review }: { readonly review: Schemas['OperatorReview'] }) {
  const { template, proposed_brand_uid, score, method, evidence, runner_up } = review
  const brand = getBrandName(review)
  return (
    <>
      <div className="flex items-start gap-4 p-5">
        <Monogram name={brand} size="large" />
        <div className="min-w-0">
          <h2 className="break-words font-mono text-base">{template}</h2>
          <p className="mt-1 text-ink-2">
            Is this{' '}
            <Link
              to="/brands/$brand"
              params={{ brand: proposed_brand_uid }}
              className="font-medium text-brand-ink hover:underline"
            >
              {brand}
            </Link>
            ? Matched by {words(method).toLowerCase()}, {percent(score)} certain.
          </p>
        </div>
      </div>
      <dl className="divide-y divide-line border-line border-t text-sm">
        {evidence.map(({ field, value, matched }) => (
          <Row key={`${field} ${value}`} name={words(field)}>
            <span className="font-mono text-xs">{value}</span>
            {matched !== value && (
              <>
                {' '}
                <span className="text-ink-3">matches</span> <span className="font-mono text-xs">{matched}</span>
              </>
            )}
          </Row>
        ))}
        <Row name="Next most likely brand">
          {runner_up === null
            ? 'None'
            : `${runner_up.brand_name ?? runner_up.brand_uid}, ${percent(runner_up.score)} certain`}
        </Row>
        <Row name="Publisher">{review.publisher_name}</Row>
        <Row name="Purchases">
          {plural(review.purchases, 'purchase')}, first {dateTime(review.first_seen_at)}, last{' '}
          {dateTime(review.last_seen_at)}
          <span className="mt-1 flex flex-wrap gap-x-3 gap-y-1">
            {review.sample_transaction_uids.map((uid) => (
              <Link
                key={uid}
                to="/publishers/$publisher/transactions/$transaction"
                params={{ publisher: review.publisher_id, transaction: uid }}
                className="font-mono text-brand-ink text-xs hover:underline"
              >
                {shorten(uid)}
              </Link>
            ))}
          </span>
        </Row>
      </dl>
    </>
  )
}

function Row({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className="grid gap-x-4 px-5 py-2.5 sm:grid-cols-[180px_minmax(0,1fr)]">
      <dt className="text-ink-3">{name}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </div>
  )
}
