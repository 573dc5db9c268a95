import { cx } from './cx.ts'

const LEAVES =
  'M7.5 3.5c1.8 1 2.5 2.7 2 4.7-1.9-.9-2.6-2.6-2-4.700ZM4.3 8.300c2 .3 3.2 1.6 3.4 3.7-2-.2-3.2-1.5-3.4-3.700ZM4.6 13.600c2-.3 3.6.6 4.4 2.5-2 .5-3.6-.4-4.4-2.500ZM16.5 3.500c-1.8 1-2.5 2.7-2 4.7 1.9-.9 2.6-2.6 2-4.700ZM19.7 8.300c-2 .3-3.2 1.6-3.4 3.7 2-.2 3.2-1.5 3.4-3.700ZM19.4 13.600c-2-.3-3.6.6-4.4 2.5 2 .5 3.6-.4 4.4-2.500Z'

/** The laurel wreath. */
export function Mark({ className }: { readonly className?: string }) {
  return (
    <svg
      viewBox="0 0 24 24"
      aria-hidden="true"
      className={cx('size-6', className)}
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      strokeLinecap="round"
    >
      <path d="M12 21c-5-1-8-4.5-8-9.5 0-3 1.2-5.5 3-7.5" />
      <path d="M12 21c5-1 8-4.5 8-9.5 0-3-1.2-5.5-3-7.5" />
      <path className="fill-current" stroke="none" d={LEAVES} />
    </svg>
  )
}
