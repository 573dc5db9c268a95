/**
 * Redemptions: payouts of available cashback, users' payout destinations, and the banks that pay. Guarantees that no
 * amount is redeemed twice, and that held money is either paid out or released, no matter which messages are lost or
 * repeated. No account number ever appears in clear text in the database, a log or an event.
 */
export { cancelRedemption, parseRedemptionId, redemptionNotFound } from './approve.ts'
export { DESTINATION, type Destination, type StoredDestination } from './destination.ts'
export { findDestination } from './destination-queries.ts'
export { refingerprintDestinations, setDestination } from './destinations.ts'
export type { RedemptionRefusal } from './errors.ts'
export { INDIVIDUAL_ID_WIDTH } from './files/nacha.ts'
export type { PayoutAnswers } from './files/payout-answers.ts'
export { PAYOUT_FORMATS, type Payer, type PayoutFormat } from './files/payout-file.ts'
export { readAnswers } from './files/read-answers.ts'
export { findPayerFault } from './files/write-file.ts'
export { showRedemptions } from './metrics.ts'
export { answerPayoutFileAs, createPayoutFileAs, openPayoutFileAs, readAnswerTo, setPayerAs } from './operate.ts'
export { operatorRedemptionRoutes } from './operator-routes.ts'
export { applyCardOutcome, applyWebhookAnswer, reportOutcome } from './outcomes.ts'
export type { PayoutBank } from './payouts/payout-bank.ts'
export { findPayer, PAYOUT_FILE_LIST } from './payouts/payout-file-queries.ts'
export { createPayoutOutcomes, createPayouts, type PayoutDeps } from './payouts/payouts.ts'
export { createSimulatedBank } from './payouts/simulated-bank.ts'
export type { StoredFile } from './payouts/stored-file.ts'
export {
  countWaitingRedemptions,
  listRedemptions,
  listRedemptionsById,
  listSteps,
  OPEN_REDEMPTIONS,
  type OpenRedemption,
} from './queries.ts'
export { REDEMPTION, type Redemption, type RedemptionId } from './redemption.ts'
export { requestRedemption } from './request.ts'
export { redemptionRoutes } from './routes.ts'
export { OutcomeAnswerSchema } from './schema.ts'
export { selectRedemptionsToBook, verifyRedemptions } from './verify-queries.ts'
