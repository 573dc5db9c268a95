import Check from 'lucide-react/icons/check'
import Copy from 'lucide-react/icons/copy'
import { useState } from 'react'

const SHOWN_MS = 1_500

/** An identifier with a button that copies it in full. */
export function Copyable({ text, short = false }: { readonly text: string; readonly short?: boolean }) {
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    setCopied(true)
    setTimeout(() => setCopied(false), SHOWN_MS)
  }
  const Icon = copied ? Check : Copy
  return (
    <span className="inline-flex max-w-full items-center gap-1">
      <code className="min-w-0 break-all font-mono text-xs">{short ? shorten(text) : text}</code>
      <button
        type="button"
        onClick={copy}
        aria-label={copied ? 'Copied' : `Copy ${text}`}
        className="relative z-1 grid size-6 shrink-0 place-items-center rounded text-ink-3 hover:bg-sunken hover:text-ink max-sm:size-10"
      >
        <Icon aria-hidden="true" className="size-3.5" />
      </button>
    </span>
  )
}

/** Shortens an id but keeps its end, because ids created at the same time have the same beginning. */
export function shorten(id: string): string {
  return id.length <= 14 ? id : `${id.slice(0, 4)}…${id.slice(-6)}`
}
