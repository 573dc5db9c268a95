const ROWS = ['a', 'b', 'c', 'd', 'e', 'f']

/** A page's loading skeleton. */
export function PageSkeleton() {
  return (
    <div role="status" aria-label="Loading">
      <div className="skeleton h-8 w-56" />
      <div className="skeleton mt-3 h-4 w-80 max-w-full" />
      <div className="mt-6 space-y-3 rounded-lg bg-surface p-5 shadow-card">
        {ROWS.map((row) => (
          <div key={row} className="skeleton h-6" />
        ))}
      </div>
    </div>
  )
}
