import { FAULT_KINDS, type Fault } from '../faults.ts'
import { getInstitution } from '../institutions.ts'
import { lookUp } from '../state.ts'
import type { ShownDelivery } from '../webhooks.ts'
import type { World } from '../world.ts'
import { action, button, check, fixed, input, more, type Option, select } from './controls.ts'
import { giftCardFaultLines } from './home-gift-cards.ts'
import { payoutFaultLine } from './home-payouts.ts'
import { type Html, html } from './html.ts'

const DELIVERIES_SHOWN = 12

/** Shows the active faults, a button to end them all, and forms to add more. */
export function chaosPanel(world: World): Html {
  const wrongs = whatIsWrong(world)
  return html`<section aria-labelledby="failures"><div class="card-head">
      <div><h2 id="failures">Simulate failures</h2></div>
      ${wrongs.length > 0 && behaveAgain()}
    </div>
    ${
      wrongs.length === 0
        ? html`<p>No faults are active.</p>`
        : html`<ul class="wrongs" aria-label="Active faults">${wrongs.map((wrong) => html`<li>${wrong}</li>`)}</ul>`
    }
    ${more('chaos-faults', 'Add a fault for calls', faultForm())}
    ${more('chaos-webhooks', 'Add a fault for webhooks', webhookForm())}
    ${more('chaos-limits', 'Rate limits and calls so far', [limitsForm(), calls(world)])}
  </section>`
}

function behaveAgain(): Html {
  const all = [
    ...['DELETE /_sim/faults', 'DELETE /_sim/payouts/faults', 'DELETE /_sim/gift-cards/faults'],
    ...['DELETE /_sim/gift-cards/next', 'DELETE /_sim/webhooks', 'POST /_sim/limits'],
  ]
  return button(all, 'Clear all faults', { hidden: fixed('enforced', false) })
}

function whatIsWrong(world: World): Html[] {
  const { enforced, scale } = world.limits.status()
  const webhooks = describeSettings(world.webhooks.status().settings)
  const payoutFault = payoutFaultLine(world)
  return [
    ...world.faults.list().map(faultLine),
    ...(payoutFault === null ? [] : [payoutFault]),
    ...giftCardFaultLines(world),
    ...(webhooks === '' ? [] : [html`<span class="badge warn">Webhooks</span> <span>${webhooks}</span>`]),
    ...(enforced ? [html`<span class="badge warn">Limits</span> <span>the provider's, times ${scale}</span>`] : []),
  ]
}

function faultLine(fault: Fault): Html {
  const { kind, path = 'any call', times = 1, struck, skip, ms, error_code, item_id, client_id } = fault
  const facts = [
    path,
    ...(ms === undefined ? [] : [`${ms} ms`]),
    ...(error_code === undefined ? [] : [error_code]),
    ...(item_id === undefined ? [] : [`item ${item_id}`]),
    ...(client_id === undefined ? [] : [`client ${client_id}`]),
    ...(skip === undefined ? [] : [`after ${skip}`]),
    times === 0 ? `until deleted, ${struck} so far` : `${struck} of ${times}`,
  ]
  return html`<span class="badge bad">${kind}</span> <span>${facts.join(', ')}</span>
    ${button(`DELETE /_sim/faults/${fault.fault_id}`, 'Delete')}`
}

type Settings = ReturnType<World['webhooks']['status']>['settings']

function describeSettings({ lose, double, delay_ms, reorder, badly_sign }: Settings): string {
  const percent = (chance: number) => `${Math.round(chance * 100)}%`
  return [
    ...(lose > 0 ? [`${percent(lose)} lost`] : []),
    ...(double > 0 ? [`${percent(double)} doubled`] : []),
    ...(badly_sign > 0 ? [`${percent(badly_sign)} badly signed at first`] : []),
    ...(delay_ms > 0 ? [`${delay_ms} ms late`] : []),
    ...(reorder ? ['in other order'] : []),
  ].join(', ')
}

const KIND_WORDS: Readonly<Record<(typeof FAULT_KINDS)[number], string>> = {
  latency: 'slow answer',
  rate_limited: '429, too many calls',
  server_error: '500, a provider error',
  bad_gateway: '502 with an HTML page',
  html: '200 with HTML instead of JSON',
  truncated: 'JSON cut off in the middle',
  stalled: 'half an answer, then silence',
  dropped: 'connection closed, no answer',
  lost_answer: 'carried out, but the answer is lost',
  error: '400 with the error code below',
  mutation: 'the feed changes between two pages',
}

const PATHS = [
  '/transactions/sync',
  '/accounts/get',
  '/item/get',
  '/item/remove',
  '/item/public_token/exchange',
  '/link/token/create',
  '/institutions/get_by_id',
] as const

function faultForm(): Html {
  const paths: Option[] = [['', 'any call'], ...PATHS.map((path) => [path, path] as const)]
  return action('POST /_sim/faults', 'Add the fault', [
    select(
      'Kind of fault',
      'kind',
      FAULT_KINDS.map((kind) => [kind, KIND_WORDS[kind]] as const),
    ),
    select('At which call', 'path', paths),
    input('How often (0: until deleted)', { name: 'times', kind: 'count', value: '1' }),
    input('Calls that pass first', { name: 'skip', kind: 'count' }),
    input('Milliseconds, if slow', { name: 'ms', kind: 'count' }),
    input('Retry-After in seconds, if 429', { name: 'retry_after', kind: 'count' }),
    input('Error code, if 400', { name: 'error_code', hint: 'ITEM_NOT_FOUND' }),
    input('Only for the item', { name: 'item_id' }),
  ])
}

function webhookForm(): Html {
  return action('POST /_sim/webhooks', 'Send webhooks like this', [
    input('Lost, in percent', { name: 'lose', kind: 'percent' }),
    input('Doubled, in percent', { name: 'double', kind: 'percent' }),
    input('Badly signed at first, in percent', { name: 'badly_sign', kind: 'percent' }),
    input('Late by milliseconds', { name: 'delay_ms', kind: 'count' }),
    check('In other order', 'reorder'),
  ])
}

function limitsForm(): Html {
  return action('POST /_sim/limits', 'Enforce the limits', [
    fixed('enforced', true),
    input("Times the provider's own", { name: 'scale', kind: 'amount', value: '1' }),
  ])
}

function calls({ limits }: World): Html {
  const { calls, refused } = limits.status()
  const paths = Object.entries(calls).sort(([, a], [, b]) => b - a)
  if (paths.length === 0) return html`<p class="quiet">No calls yet.</p>`
  return html`<table class="narrow"><thead><tr><th scope="col">Call</th><th scope="col" class="number">So far</th>
    <th scope="col" class="number">Refused</th></tr></thead><tbody>${paths.map(([path, count]) => {
      return html`<tr><td><code>${path}</code></td><td class="number">${count}</td>
        <td class="number">${refused[path] ?? 0}</td></tr>`
    })}</tbody></table>`
}

/** Shows the latest webhooks, newest first, with their outcomes. */
export function webhooksPanel(world: World): Html {
  const deliveries = world.webhooks.status().deliveries.slice(-DELIVERIES_SHOWN).reverse()
  return html`<section aria-labelledby="webhooks"><div class="card-head">
      <div><h2 id="webhooks">Recent webhooks</h2></div>
      ${deliveries.length > 0 && button('POST /_sim/webhooks/replay', 'Resend the last webhooks')}
    </div>
    ${
      deliveries.length === 0
        ? html`<p>None sent yet. A login needs a webhook address from its link token, and a first sync.</p>`
        : html`<table><thead><tr><th scope="col">At</th><th scope="col">Bank</th><th scope="col">Webhook</th>
          <th scope="col">Outcome</th><th scope="col" class="number">Attempts</th></tr></thead>
          <tbody>${deliveries.map((delivery) => deliveryLine(world, delivery))}</tbody></table>`
    }</section>`
}

function deliveryLine({ state }: World, delivery: ShownDelivery): Html {
  const { item_id, webhook_type, webhook_code, outcome, attempts, at } = delivery
  const item = item_id === null ? undefined : lookUp(state.items, item_id)
  const bank =
    item === undefined ? (item_id === null ? 'link page' : 'removed') : getInstitution(item.institutionId).name
  const tone = { delivered: 'good', waiting: 'warn', failed: 'bad', lost: 'bad' }[outcome]
  return html`<tr><td><time datetime="${at}">${at.slice(11, 19)}</time></td>
    <td>${bank}</td>
    <td class="code">${webhook_type} ${webhook_code}</td>
    <td><span class="badge ${tone}">${outcome}</span></td>
    <td class="number">${attempts} <span class="phone">${attempts === 1 ? 'attempt' : 'attempts'}</span></td></tr>`
}
