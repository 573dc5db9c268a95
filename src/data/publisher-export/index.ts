/**
 * Takeouts: exports a publisher's complete data as an archive and imports it into another installation. Guarantees that
 * an archive is one snapshot, with secrets sealed only under its own key. An import is complete and verified by totals,
 * or leaves nothing behind. A production publisher is active in one installation at a time.
 */
export { importTakeout } from './import.ts'
export { zipLines } from './lines.ts'
export { beginMove, cancelMove, completeMove, type Manifest, yieldTakeoutLines } from './takeout.ts'
