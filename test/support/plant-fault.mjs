import { registerHooks } from 'node:module'
import { FAULTS } from '../faults.ts'

// Preloaded by scripts/faults.ts. Loads one file with the fault injected, and writes nothing.
const fault = FAULTS[Number(process.env['LAUREL_FAULT'])]
const url = new URL(`../../${fault?.file}`, import.meta.url).href

registerHooks({
  load: (loading, context, next) => {
    const loaded = next(loading, context)
    return loading === url ? { ...loaded, source: String(loaded.source).replace(fault.from, () => fault.to) } : loaded
  },
})
