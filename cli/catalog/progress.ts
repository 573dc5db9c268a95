import { SingleBar } from 'cli-progress'
import { shell } from '../shell.ts'

/** Creates a progress bar on stderr, which shows nothing unless stderr is a terminal. */
export function createProgressBar(progress: () => number) {
  if (!shell().stderr.isTTY) return { show: () => undefined, stop: () => undefined }
  const format = '{bar} {percentage}% | {brands} brands, {offers} offers | {step}'
  const bar = new SingleBar({ format, stream: shell().stderr, clearOnComplete: true, hideCursor: true })
  bar.start(100, 0, { brands: 0, offers: 0, step: 'reading' })
  return {
    show: ({ brands, offers }: { readonly brands: number; readonly offers: number }) => {
      const done = progress()
      bar.update(Math.floor(done * 100), { brands, offers, step: done < 1 ? 'reading' : 'comparing and writing' })
    },
    stop: () => bar.stop(),
  }
}
