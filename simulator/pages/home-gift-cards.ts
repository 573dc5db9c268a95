import type { World } from '../world.ts'
import { button } from './controls.ts'
import { type Html, html } from './html.ts'

/** Builds the supplier's lines in the list of active faults. */
export function giftCardFaultLines({ giftCardFaults, nextGiftCards }: World): Html[] {
  const { fault, calls } = giftCardFaults.status()
  const { outcome, orders } = nextGiftCards.status()
  return [
    ...(fault === null ? [] : [line(fault, `the next calls to the gift card supplier: ${calls}`, 'faults')]),
    ...(outcome === null ? [] : [line(outcome, `the next gift card orders: ${orders}`, 'next')]),
  ]
}

function line(badge: string, words: string, control: 'faults' | 'next'): Html {
  return html`<span class="badge bad">${badge}</span> <span>${words}</span>
    ${button(`DELETE /_sim/gift-cards/${control}`, 'Delete')}`
}
