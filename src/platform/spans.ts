/** What records spans. */
export type Tracing = {
  /** Begins a span within the current one, or one that begins a trace. */
  begin(name: string, options: SpanOptions): TraceSpan
  /** Sends what has ended. */
  close(): Promise<void>
}

/** Never a key, a secret, a URL, an address or anything personal. */
type Attributes = Readonly<Record<string, string | number | boolean>>

export type SpanOptions = {
  readonly kind?: 'server' | 'client'
  /** Called only if spans are recorded. */
  readonly attributes?: () => Attributes
  /** For work that outlasts what began it. */
  readonly isRoot?: boolean
}

/** How work ended, as far as its span shows. */
export type SpanEnding = {
  readonly attributes?: Attributes
  /** A short code; messages may hold what must not leave. */
  readonly failure?: string | undefined
  /** The span of a caller, which is not continued: it would decide what we record. */
  readonly traceparent?: string | undefined
}

export type TraceSpan = {
  /** Work whose spans are parts of this one. */
  within<T>(work: () => T): T
  /** A span that never ends is never sent. */
  end(ending: SpanEnding): void
}
