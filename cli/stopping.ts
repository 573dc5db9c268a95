// A single Ctrl-C arrives twice, from the terminal and through npm. Only a signal after this interval means that the
// user insists.
const INSISTING_MS = 1_000

/** Resolves on the first signal. A later one exits the process immediately. */
export function waitForStop(): Promise<void> {
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
