import { performance } from 'node:perf_hooks'
import type { Command } from 'commander'
import open from 'open'
import { describeDurations, listPlaces } from '../demo/places.ts'
import { openStage, type Shopper, type Stage } from '../demo/stage.ts'
import { walk } from '../demo/walk.ts'
import { waitForStop } from '../stopping.ts'
import { answer, note, styled } from '../terminal.ts'

export function define(command: Command): void {
  command
    .option('--open', "afterwards, open the console and the user's portal in a browser")
    .action(async ({ open: opens = false }: { readonly open?: boolean }) => {
      const begun = performance.now()
      const stage = await openStage(opens)
      try {
        const place = stage.started ? 'a service started for the demo' : 'the running service'
        answer(styled('bold', `One purchase, end to end, on ${place} (${stage.url})`))
        const shopper = await walk(stage)
        answer(styled('dim', `  ${((performance.now() - begun) / 1000).toFixed(1)} s`))
        // If the service stops with the demo, there are no pages to open.
        if (opens || !stage.started) await showPlaces(stage, shopper, opens)
      } finally {
        await stage.close()
      }
    })
}

async function showPlaces(stage: Stage, shopper: Shopper, opens: boolean): Promise<void> {
  const places = await listPlaces(stage, shopper)
  answer('')
  answer(styled('bold', '  The same story in the browser'))
  for (const { label, url } of places) answer(`  ${styled('dim', label.padEnd(10))} ${url}`)
  const durations = describeDurations(places)
  if (durations !== null) answer(styled('dim', `  ${durations}`))
  if (!opens) return
  const stopAsked = stage.started ? waitForStop() : null
  for (const { url } of places) await open(url)
  note('If no browser opens, follow the links above.')
  if (stopAsked === null) return
  note('The service runs until you stop it (Ctrl-C).')
  await stopAsked
}
