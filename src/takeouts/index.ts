/**
 * Takeouts: exporting everything of a publisher as an archive, and importing it into another installation.
 * Promises that an archive is one snapshot and holds secrets only under its own key, that an import is whole and
 * verified by totals or leaves nothing, and that a publisher in production works in one installation at a time.
 */
export { TakeoutFault } from './errors.ts'
export { importTakeout } from './import.ts'
export { zipped } from './lines.ts'
export { beginMove, cancelMove, completeMove, type Manifest, takeoutLines } from './takeout.ts'
