import { performance } from 'node:perf_hooks'
import type { Command } from 'commander'
import { openStage } from '../demo/stage.ts'
import { walk } from '../demo/walk.ts'
import { answer, styled } from '../terminal.ts'

export function define(command: Command): void {
  command.action(async () => {
    const begun = performance.now()
    const stage = await openStage()
    try {
      const place = stage.started ? 'a service that is started for it' : 'the running service'
      answer(styled('bold', `One purchase, end to end, at ${place} (${stage.url})`))
      await walk(stage)
      answer(styled('dim', `  ${((performance.now() - begun) / 1000).toFixed(1)} s`))
    } finally {
      await stage.close()
    }
  })
}
