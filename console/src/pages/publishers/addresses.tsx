import X from 'lucide-react/icons/x'
import { del, post, Refused } from '../../api/client.ts'
import { useRefusal } from '../../api/permissions.ts'
import { useChange } from '../../api/use-change.ts'
import { Button } from '../../ui/button.tsx'
import { Card, CardTitle } from '../../ui/card.tsx'
import { TextField } from '../../ui/form/field.tsx'
import { useUnsaved } from '../../ui/form/unsaved.ts'
import { useFields } from '../../ui/form/use-fields.ts'
import type { Settings } from './fields.ts'
import { publisherDetail } from './queries.ts'

/** The addresses to which the link page may return: web application addresses and Android package names. */
export function Addresses({ settings }: { readonly settings: Settings }) {
  const mayChange = useRefusal()('publishers:change')
  const params = { path: { publisher_id: settings.publisher_id } }
  const disallow = useChange({
    act: (gone: string) =>
      del('/operator/publishers/{publisher_id}/return-addresses', { ...params, query: { value: gone } }),
    keeps: publisherDetail(settings.publisher_id),
    isForm: false,
  })
  const known = [...settings.redirect_uris, ...settings.android_packages]
  return (
    <Card>
      <CardTitle>Return addresses for card linking</CardTitle>
      {known.length === 0 ? (
        <p className="px-5 pt-1 text-ink-2 text-sm">None yet: the link page tells users to go back to the app.</p>
      ) : (
        <ul className="mt-3 divide-y divide-line border-line border-y text-sm">
          {known.map((one) => (
            <li key={one} className="flex items-center gap-3 px-5 py-1.5">
              <code className="min-w-0 flex-1 break-all font-mono text-xs">{one}</code>
              <Button
                icon
                tone="ghost"
                aria-label={`Stop allowing ${one}`}
                refusal={mayChange}
                busy={disallow.isPending}
                onClick={() => disallow.mutate(one)}
              >
                <X aria-hidden="true" className="size-4" />
              </Button>
            </li>
          ))}
        </ul>
      )}
      <NewAddress params={params} refusal={mayChange} />
    </Card>
  )
}

type NewProps = {
  readonly params: { readonly path: { readonly publisher_id: string } }
  readonly refusal: string | null
}

function NewAddress({ params, refusal }: NewProps) {
  const { values, set, field } = useFields({ 'return-address': '' })
  const { 'return-address': value } = values
  const typed = value.trim()
  useUnsaved(typed !== '')
  const allow = useChange({
    act: () => {
      const body = typed.includes('://') ? { redirect_uri: typed } : { android_package: typed }
      return post('/operator/publishers/{publisher_id}/return-addresses', { ...params, body })
    },
    onDone: () => set({ 'return-address': '' }),
    keeps: publisherDetail(params.path.publisher_id),
  })
  const refused = allow.error instanceof Refused ? (Object.values(allow.error.fields)[0] ?? allow.error.message) : null
  return (
    <form
      className="space-y-3 p-5"
      onSubmit={(event) => {
        event.preventDefault()
        if (typed !== '' && refusal === null) allow.mutate()
      }}
    >
      <TextField
        {...field('return-address')}
        label="Address or package"
        error={refused ?? undefined}
        help="https://app.example/linked or com.example.app"
      />
      <Button
        type="submit"
        busy={allow.isPending}
        refusal={refusal ?? (typed === '' ? 'Enter an address or a package first.' : null)}
      >
        Allow it
      </Button>
    </form>
  )
}
