import { PARTNER_FAULTS, type PartnerFault } from '../partner-faults.ts'
import { listPayouts, listPossibleOutcomes } from '../payouts/outcome.ts'
import { getNumber } from '../payouts/plan.ts'
import type { Outcome, Payout, PlannedStep } from '../payouts/state.ts'
import type { World } from '../world.ts'
import { action, button, fixed, input, more, select } from './controls.ts'
import { type Html, html } from './html.ts'

const PAYOUTS_SHOWN = 12

const FAULT_WORDS: Readonly<Record<PartnerFault, string>> = {
  unavailable: '503, nothing is done',
  lost_answer: 'carried out, but the answer is lost',
  slow: 'slow answer',
  unreadable: 'carried out, but the answer is not JSON',
}

/** Shows the latest payouts, newest first, with their planned outcomes and buttons to set an outcome now. */
export function payoutsPanel(world: World): Html {
  const payouts = listPayouts(world.state)
  return html`<section aria-labelledby="payouts"><h2 id="payouts">Recent payouts</h2>
    ${
      payouts.length === 0
        ? html`<p>None requested yet.</p>`
        : html`<table><thead><tr><th scope="col">Reference</th><th scope="col">To</th>
          <th scope="col" class="number">Amount</th><th scope="col">State</th><th scope="col">Next</th>
          <th scope="col">Do</th></tr></thead>
          <tbody>${payouts.slice(0, PAYOUTS_SHOWN).map(payoutLine)}</tbody></table>`
    }
    ${payouts.length > PAYOUTS_SHOWN && html`<p class="quiet">The newest ${PAYOUTS_SHOWN} of ${payouts.length}.</p>`}
    ${more('payout-faults', 'Make calls to the bank fail', faultForm())}
  </section>`
}

/** Builds the bank's line in the list of active faults. */
export function payoutFaultLine({ payoutFaults }: World): Html | null {
  const { fault, calls } = payoutFaults.status()
  if (fault === null) return null
  return html`<span class="badge bad">${fault}</span> <span>the next calls to the bank: ${calls}</span>
    ${button('DELETE /_sim/payouts/faults', 'Delete')}`
}

const LABELS: Readonly<Record<Outcome, string>> = { paid: 'Paid', failed: 'Failed', returned: 'Returned' }
const TONES = { accepted: 'warn', paid: 'good', failed: 'bad', returned: 'bad' } as const

function payoutLine(payout: Payout): Html {
  const { payoutId, reference, status, planned, content } = payout
  const { amount, currency, destination } = content
  return html`<tr><td class="merchant">${reference}</td>
    <td>${destination.holder_name} <span class="quiet">•••• ${getNumber(destination).slice(-4)}</span></td>
    <td class="number">${amount} ${currency}</td>
    <td><span class="badge ${TONES[status]}">${status}</span></td>
    <td class="quiet">${planned.map(stepWords).join(', ')}</td>
    <td class="doing"><div class="do">${listPossibleOutcomes(payout).map((outcome) =>
      button(`POST /_sim/payouts/${payoutId}`, LABELS[outcome], { hidden: fixed('outcome', outcome) }),
    )}</div></td></tr>`
}

function stepWords({ type, dueAt }: PlannedStep): string {
  return `${type} ${dueAt === null ? 'at the next request' : dueAt.slice(0, 16).replace('T', ' ')}`
}

function faultForm(): Html {
  return action('POST /_sim/payouts/faults', 'Add a fault for payout calls', [
    select(
      'Fault of the bank',
      'fault',
      PARTNER_FAULTS.map((fault) => [fault, FAULT_WORDS[fault]] as const),
    ),
    input('How many calls', { name: 'calls', kind: 'count', value: '1', required: true }),
  ])
}
