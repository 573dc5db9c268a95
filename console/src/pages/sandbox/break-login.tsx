import { post, type Schemas } from '../../api/client.ts'
import { useScopeRefusal } from '../../api/permissions.ts'
import { linkedCards } from '../../api/queries.ts'
import { useChange } from '../../api/use-change.ts'
import { Button } from '../../ui/button.tsx'

type Props = {
  readonly publisher: string
  readonly user: string
  readonly institution: Schemas['LinkedInstitution']
}

/** Makes the simulated bank require a new sign-in. */
export function BreakLogin({ publisher, user, institution }: Props) {
  const refusal = useScopeRefusal(publisher)('linker:write')
  const { institution_id, institution_name, linked_cards } = institution
  const path = { publisher_user_id: user, institution_id }
  const breakIt = useChange({
    act: () => post('/sandbox/links/{publisher_user_id}/{institution_id}/break', { path, publisher }),
    done: ['Login broken', `${institution_name} asks ${user} to sign in again.`],
    reload: [linkedCards(publisher, user)],
    isForm: false,
  })
  const isBroken = linked_cards.every(({ error }) => error !== null)
  return (
    <Button
      aria-label={`Break the login at ${institution_name}`}
      refusal={isBroken ? 'It is already broken.' : refusal}
      busy={breakIt.isPending}
      onClick={() => breakIt.mutate()}
    >
      Break the login
    </Button>
  )
}
