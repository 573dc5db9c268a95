import { fileURLToPath } from 'node:url'

/** Compiled code lies within the installation: in a shared folder others could replace what we run. */
export const COMPILED = fileURLToPath(new URL('../node_modules/.cache/laurel-compiled', import.meta.url))
