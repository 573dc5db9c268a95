/** Why a takeout cannot be written or imported, in sentences that say what to do. */
export class TakeoutFault extends Error {}
