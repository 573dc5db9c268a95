import { Menu } from '@base-ui/react/menu'
import Ellipsis from 'lucide-react/icons/ellipsis'
import { Button, buttonClass } from './button.tsx'

type Act = { readonly label: string; readonly danger?: boolean; readonly onSelect: () => void }
type Props = {
  /** The name of the row, for the button's accessible label. */
  readonly of: string
  readonly acts: readonly Act[]
  /** The reason why none of the actions is available; null if they are. */
  readonly refusal: string | null
}

/** A menu of the actions on a row, behind three dots. */
export function RowMenu({ of, acts, refusal }: Props) {
  const label = `More actions for ${of}`
  const dots = <Ellipsis aria-hidden="true" className="size-4" />
  if (refusal !== null)
    return (
      <Button icon tone="ghost" aria-label={label} refusal={refusal}>
        {dots}
      </Button>
    )
  return (
    <Menu.Root>
      <Menu.Trigger aria-label={label} className={buttonClass('ghost', undefined, true)}>
        {dots}
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner align="end" sideOffset={4} className="z-20">
          <Menu.Popup className="min-w-44 rounded-lg bg-surface p-1.5 shadow-pop outline-none">
            {acts.map(({ label: name, danger = false, onSelect }) => (
              <Menu.Item
                key={name}
                onClick={onSelect}
                className={`flex h-8 cursor-default items-center rounded-md px-2.5 text-sm outline-none data-highlighted:bg-sunken max-sm:h-11 ${danger ? 'text-bad' : ''}`}
              >
                {name}
              </Menu.Item>
            ))}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  )
}
