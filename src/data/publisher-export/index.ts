/**
 * Takeouts: exports a publisher's complete data as an archive and imports it into another installation. Guarantees that
 * an archive is one snapshot, with secrets sealed only under its own key, that an import is either complete and
 * verified by totals or leaves nothing behind, and that a production publisher is active in only one installation at a
 * time.
 */
export { importTakeout } from './import.ts'
export { zipLines } from './lines.ts'
export { beginMove, cancelMove, completeMove, type Manifest, yieldTakeoutLines } from './takeout.ts'
