import { SingleBar } from 'cli-progress'
import { shell } from './shell.ts'

/** Creates a progress bar on stderr. The library shows nothing unless stderr is a terminal. */
export function createProgressBar(format: string): SingleBar {
  return new SingleBar({ format, stream: shell().stderr, clearOnComplete: true, hideCursor: true })
}
