import { useSuspenseQuery } from '@tanstack/react-query'
import { CardList } from '../../ui/card.tsx'
import { Time } from '../../ui/time.tsx'
import { marketingChoices } from './queries.ts'

/** The user's choices about marketing email, with the wording they were shown. */
export function Marketing({ publisher, user }: { readonly publisher: string; readonly user: string }) {
  const { data } = useSuspenseQuery(marketingChoices(publisher, user))
  return (
    <CardList title="Marketing email" rows={data} empty="The user has not chosen, which counts as no consent.">
      {({ version, agreed, wording, language, via, chosen_at }) => (
        <li key={version} className="px-5 py-2.5">
          <div className="flex flex-wrap justify-between gap-x-3">
            <span className="font-medium">{agreed ? 'Agreed' : 'Declined'}</span>
            <Time at={chosen_at} />
          </div>
          <q lang={language} className="mt-1 block break-words text-ink-2">
            {wording}
          </q>
          <p className="mt-1 text-ink-3 text-xs">
            {via === 'portal' ? 'In the portal' : 'Reported by the publisher'}, language “{language}”
          </p>
        </li>
      )}
    </CardList>
  )
}
