// Ctrl-C reaches us from the terminal and once more through npm; only a later signal is a person who insists.
const INSISTING_MS = 1_000

/** The first signal asks to stop, a later one insists. */
export function untilAskedToStop(): Promise<void> {
  return new Promise((resolve) => {
    let askedAt: number | null = null
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.on(signal, () => {
        if (askedAt !== null && performance.now() - askedAt > INSISTING_MS) process.exit(1)
        askedAt ??= performance.now()
        resolve()
      })
    }
  })
}
