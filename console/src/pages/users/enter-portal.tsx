import { post } from '../../api/client.ts'
import { useScopeRefusal } from '../../api/permissions.ts'
import { useMutation } from '../../api/use-mutation.ts'
import { usePublisher } from '../../publisher.ts'
import { Button } from '../../ui/button.tsx'

type Props = { readonly publisher: string; readonly user: string }

/** Opens a sandbox's portal as the user, in a new tab. */
export function EnterPortal({ publisher, user }: Props) {
  const mayEnter = useScopeRefusal(publisher)('rewards:write')
  const refusal =
    usePublisher()?.environment === 'sandbox' ? mayEnter : 'In production only users may enter their portal.'
  const enter = useMutation({
    mutationFn: async (tab: Window | null) => {
      const body = { publisher_user_id: user }
      const { url } = await post('/portal/sessions', { body, publisher })
      return { tab, url }
    },
    onSuccess: ({ tab, url }) => (tab ?? window).location.assign(url),
    onError: (_error, tab) => tab?.close(),
  })
  return (
    // Browsers allow opening a new tab only while a click is being handled.
    <Button refusal={refusal} busy={enter.isPending} onClick={() => enter.mutate(window.open('', '_blank'))}>
      Enter the portal
    </Button>
  )
}
