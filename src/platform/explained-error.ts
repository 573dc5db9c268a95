/**
 * An error whose message explains to the person running the command what happened and what to do. It is printed without
 * a stack trace.
 */
export class ExplainedError extends Error {}
