import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import ExternalLink from 'lucide-react/icons/external-link'
import type { CSSProperties } from 'react'
import { put, type Schemas } from '../../api/client.ts'
import { useScopeRefusal } from '../../api/permissions.ts'
import { useChange } from '../../api/use-change.ts'
import { usePublisher } from '../../publisher.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Checks } from '../../ui/form/checks.tsx'
import { TextArea, TextField } from '../../ui/form/field.tsx'
import { Form, FormError } from '../../ui/form/form.tsx'
import { Slider } from '../../ui/form/slider.tsx'
import { useUnsaved } from '../../ui/form/unsaved.ts'
import { pick, useEdits } from '../../ui/form/use-edits.ts'
import { Mark } from '../../ui/mark.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { portalSettings, portalTheme } from './queries.ts'

type Settings = Schemas['PortalSettings']
const route = getRouteApi('/guarded/publishers/$publisher/portal')
const CHROMA_MAX = 0.37
const BODY = ['slug', 'shown_name', 'hue', 'chroma', 'frame_ancestors', 'allows_accounts'] as const
const ACCOUNTS = [['own', 'Users may sign in with an email address and password, or with a passkey']] as const

/** The settings of a publisher's portal, with a live preview. */
export default function PortalPage() {
  const { publisher: publisherId } = route.useParams()
  const { data } = useSuspenseQuery(portalSettings(publisherId))
  const open = (
    <a href={data.url} target="_blank" rel="noreferrer" className={buttonClass()}>
      Open the portal <ExternalLink aria-hidden="true" className="size-3.5" />
    </a>
  )
  return (
    <>
      <PageHeader
        title="Portal"
        lead="The users’ site for publishers without an app of their own. Each user enters through a personal link from POST /portal/sessions."
        actions={open}
      />
      <PortalForm key={publisherId} publisherId={publisherId} settings={data} />
    </>
  )
}

/**
 * Builds the form's values. Until an address is chosen, the portal's address is the publisher's id and the field is
 * blank.
 */
function buildDraft(read: Settings, publisherId: string) {
  return {
    ...pick(read, BODY),
    slug: read.slug === publisherId ? '' : read.slug,
    shown_name: read.shown_name ?? '',
    frame_ancestors: read.frame_ancestors.join('\n'),
  }
}

function PortalForm({ publisherId, settings }: { readonly publisherId: string; readonly settings: Settings }) {
  const mayChange = useScopeRefusal(publisherId)('users:write')
  const publisher = usePublisher()
  const { draft, seen, changed, edit, field, rebase, clear } = useEdits(settings, (read) =>
    buildDraft(read, publisherId),
  )
  const { slug, shown_name: shownName, hue, chroma } = draft
  const isChanged = changed.length > 0
  useUnsaved(isChanged)
  const save = useChange({
    act: () => {
      const body = {
        ...draft,
        shown_name: shownName.trim() || null,
        frame_ancestors: draft.frame_ancestors.split(/\s+/).filter((origin) => origin !== ''),
        // Includes the earlier value of every field, because every field is sent.
        expected: pick(seen, BODY),
      }
      return put('/portal/settings', { body, publisher: publisherId })
    },
    onDone: clear,
    keeps: portalSettings(publisherId),
    done: (saved) => [
      'Portal changed',
      saved.slug === seen.slug ? undefined : 'Links to its former address no longer work.',
    ],
    onStale: [portalSettings(publisherId), rebase],
  })
  return (
    <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_340px]">
      <Card>
        <Form
          error={save.error}
          onSubmit={() => {
            if (mayChange === null && slug !== '') save.mutate()
          }}
        >
          <Controls draft={draft} edit={edit} field={field} />
          <div className="flex flex-wrap items-center justify-end gap-3 border-line border-t px-5 py-3">
            <FormError error={save.error} />
            <Button
              type="submit"
              tone="primary"
              busy={save.isPending}
              refusal={
                mayChange ?? (slug === '' ? 'Give it an address first.' : isChanged ? null : 'Nothing has changed.')
              }
            >
              Save
            </Button>
          </div>
        </Form>
      </Card>
      <Preview publisherId={publisherId} hue={hue} chroma={chroma} name={shownName || (publisher?.name ?? '')} />
    </div>
  )
}

type Draft = ReturnType<typeof buildDraft>
type ControlsProps = Pick<ReturnType<typeof useEdits<Settings, Draft>>, 'draft' | 'edit' | 'field'>

function Controls({ draft, edit, field }: ControlsProps) {
  const publisher = usePublisher()
  return (
    <div className="space-y-5 p-5">
      <TextField
        {...field('shown_name')}
        label="Name"
        help={`Leave empty for ${publisher?.name ?? 'the name of the publisher'}.`}
      />
      <TextField
        {...field('slug')}
        label="Address, after /portal/"
        help="Required to save. Lower-case letters, digits and hyphens. If you change it, links to the former address stop working."
      />
      <Slider {...field('hue')} label="Hue" max={359} step={1} said={`${draft.hue}°`} />
      <Slider
        {...field('chroma')}
        label="Color intensity"
        max={CHROMA_MAX}
        step={0.01}
        said={String(draft.chroma)}
        help="The lightness is chosen so that text on it stays readable."
      />
      <TextArea
        {...field('frame_ancestors')}
        label="Sites that may embed it in an iframe"
        help="One origin per line, such as https://app.example.com. Leave empty for none."
      />
      <Checks
        legend="Accounts"
        options={ACCOUNTS}
        chosen={draft.allows_accounts ? ['own'] : []}
        onChange={(chosen) => edit('allows_accounts', chosen.includes('own'))}
        help="Users who have entered through one of your links can then choose a password and return without a link."
      />
    </div>
  )
}

type PreviewProps = {
  readonly publisherId: string
  readonly hue: number
  readonly chroma: number
  readonly name: string
}

/** The top of the portal's first page, in the chosen color. The service computes the color's lightness. */
function Preview({ publisherId, hue, chroma, name }: PreviewProps) {
  const { data } = useQuery(portalTheme(publisherId, hue, chroma))
  const colour = { '--hue': hue, '--chroma': chroma, '--l': data?.lightness ?? 0.42 } as CSSProperties
  return (
    <section aria-label="As users see it">
      <h2 className="mb-2 text-ink-2 text-sm">As users see it</h2>
      <div style={colour} className="overflow-hidden rounded-xl bg-white p-4 text-black shadow-card">
        <div className="flex items-center gap-2 text-[oklch(var(--l)_var(--chroma)_var(--hue))]">
          <Mark className="size-6" />
          <span className="min-w-0 truncate font-semibold text-black">{name}</span>
        </div>
        <div className="mt-4 rounded-xl bg-[oklch(var(--l)_var(--chroma)_var(--hue))] p-5 text-white">
          <p className="text-sm">Ready to redeem</p>
          <p className="num mt-1 font-semibold text-[32px] leading-none tracking-[-0.03em]">$42.18</p>
          <p className="mt-2 text-sm">$13.70 on their way</p>
          <span className="mt-4 inline-flex h-9 items-center rounded-full bg-white px-4 font-medium text-[oklch(var(--l)_var(--chroma)_var(--hue))] text-sm">
            Redeem
          </span>
        </div>
        <div className="mt-4 flex items-center justify-between gap-3 rounded-lg p-3 ring-1 ring-[#e5e7eb]">
          <div className="min-w-0">
            <p className="font-medium text-sm">5% back</p>
            <p className="text-[#4b5563] text-xs">Bluebird Coffee</p>
          </div>
          <span className="inline-flex h-8 items-center rounded-full bg-[oklch(var(--l)_var(--chroma)_var(--hue))] px-3 font-medium text-sm text-white">
            Activate
          </span>
        </div>
      </div>
    </section>
  )
}
