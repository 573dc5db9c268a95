/** Why a take-out cannot be written or imported, in sentences that say what to do. */
export class TakeoutFault extends Error {}
