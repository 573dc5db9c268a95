import { ExplainedError } from '../../platform/explained-error.ts'

/** Explains why a takeout cannot be written or imported, and what to do about it. */
export class TakeoutFault extends ExplainedError {}
