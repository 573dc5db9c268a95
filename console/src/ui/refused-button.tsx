import { Tooltip } from '@base-ui/react/tooltip'
import type { ComponentProps } from 'react'

const DELAY_MS = 300

/** Stays focusable, because a disabled button could not explain why it is disabled. */
export default function RefusedButton(props: ComponentProps<'button'>) {
  return (
    <Tooltip.Root>
      <Tooltip.Trigger {...props} delay={DELAY_MS} type="button" onClick={undefined} aria-disabled="true" />
      <Tooltip.Portal>
        <Tooltip.Positioner sideOffset={6} className="z-40">
          <Tooltip.Popup className="max-w-72 rounded-md bg-ink px-2.5 py-1.5 text-canvas text-xs shadow-pop">
            {props['aria-description']}
          </Tooltip.Popup>
        </Tooltip.Positioner>
      </Tooltip.Portal>
    </Tooltip.Root>
  )
}
