/** Records and exports spans. */
export type Tracing = {
  /** Begins a span within the current one, or as the root of a new trace. */
  begin(name: string, options: SpanOptions): TraceSpan
  /** Exports the spans that have ended. */
  close(): Promise<void>
}

/** Must not contain keys, secrets, URLs, addresses or personal data. */
type Attributes = Readonly<Record<string, string | number | boolean>>

export type SpanOptions = {
  readonly kind?: 'server' | 'client'
  /** Called only if spans are recorded. */
  readonly attributes?: () => Attributes
  /** Set for work that outlasts the work that triggered it. */
  readonly isRoot?: boolean
}

/** The outcome of the work, as recorded in its span. */
export type SpanEnding = {
  readonly attributes?: Attributes
  /** A short code, because messages may contain sensitive data. */
  readonly failure?: string | undefined
  /** The caller's span, which is linked but not continued; otherwise callers could decide what we record. */
  readonly traceparent?: string | undefined
}

export type TraceSpan = {
  /** Runs work whose spans become children of this one. */
  within<T>(work: () => T): T
  /** Ends the span. A span that never ends is never exported. */
  end(ending: SpanEnding): void
}
