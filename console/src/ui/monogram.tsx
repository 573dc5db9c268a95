import type { CSSProperties } from 'react'
import { cx } from './cx.ts'

const HUES = [160, 200, 250, 300, 20, 60, 100]

/** The initials of a name, on a color derived only from the name. */
export function Monogram({ name, size = 'small' }: { readonly name: string; readonly size?: 'small' | 'large' }) {
  const hue = HUES[[...name].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % HUES.length] ?? 160
  const initials = name
    .replaceAll(/['’]/g, '')
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .slice(0, 2)
    .map((word) => [...word][0]?.toUpperCase())
    .join('')
  return (
    <span
      aria-hidden="true"
      style={{ '--h': hue } as CSSProperties}
      className={cx(
        'grid shrink-0 place-items-center rounded-md bg-[light-dark(oklch(0.93_0.04_var(--h)),oklch(0.34_0.06_var(--h)))] font-semibold text-[light-dark(oklch(0.4_0.1_var(--h)),oklch(0.88_0.07_var(--h)))]',
        size === 'small' ? 'size-6 text-[10px]' : 'size-10 text-sm',
      )}
    >
      {initials || '?'}
    </span>
  )
}
