import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Addresses } from './addresses.tsx'
import { type Draft, SECTIONS } from './fields.ts'
import { PublisherHeader } from './header.tsx'
import { Limits } from './limits.tsx'
import { publisherDetail } from './queries.ts'
import { SettingsSection } from './section.tsx'
import { SplitExample } from './split.tsx'

const route = getRouteApi('/guarded/publishers/$publisher/settings')

/** The settings page of a publisher. */
export default function PublisherSettings() {
  const { publisher } = route.useParams()
  const { data } = useSuspenseQuery(publisherDetail(publisher))
  const example = (draft: Draft) => (
    <SplitExample fee={Number(draft['fee_percent'])} share={Number(draft['share_percent'])} currency={data.currency} />
  )
  return (
    <>
      <PublisherHeader publisher={publisher} />
      <div key={publisher} className="grid items-start gap-5 xl:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-5">
          {SECTIONS.filter((_, index) => index % 2 === 0).map((section) => (
            <SettingsSection key={section.title} section={section} settings={data} />
          ))}
          <Addresses settings={data} />
        </div>
        <div className="flex min-w-0 flex-col gap-5">
          {SECTIONS.filter((_, index) => index % 2 === 1).map((section) => (
            <SettingsSection
              key={section.title}
              section={section}
              settings={data}
              {...(section.fields.some(({ name }) => name === 'fee_percent') ? { example } : {})}
            />
          ))}
          <Limits settings={data} />
        </div>
      </div>
    </>
  )
}
