/** An error whose message tells whoever runs the command what happened and what to do, so it is shown without a stack. */
export class ExplainedError extends Error {}
