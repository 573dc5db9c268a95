import type { Institution } from '../institutions.ts'
import { getLogo } from '../logo.ts'
import type { Account } from '../state.ts'
import { type Html, html } from './html.ts'
import type { Page } from './layout.ts'
import type { LinkSession } from './session.ts'

const STEPS = ['Bank', 'Sign in', 'Cards', 'Done'] as const
type Step = (typeof STEPS)[number]

/** Builds a provider page, which shows the current step and a notice that nothing is real. */
export function linkPage(title: string, step: Step | null, content: Html): Page {
  const at = step === null ? -1 : STEPS.indexOf(step)
  const steps = STEPS.map(
    (name, index) =>
      html`<li ${index < at && html`class="past"`} ${index === at && html`aria-current="step"`}>${name}</li>`,
  )
  return {
    title,
    kind: 'link',
    script: 'link',
    content: html`<main>
      ${step !== null && html`<ol class="steps" aria-label="Steps">${steps}</ol>`}
      <h1>${title}</h1>
      ${content}
      <p class="foot">Simulated banks. No real account is touched.</p>
    </main>`,
  }
}

/** Builds a bank page, in the bank's colors so that users notice they have left the provider. */
export function bankPage(bank: Institution, title: string, content: Html): Page {
  return {
    title: `${title} – ${bank.name}`,
    kind: 'bank',
    script: 'link',
    styles: `/assets/banks/${bank.id}.css`,
    content: html`<header class="bank-bar">${logo(bank)}<strong>${bank.name}</strong>
        <span>Online banking</span></header>
      <main>
        <h1>${title}</h1>
        ${content}
        <p class="foot">${bank.name} exists only in this simulator.</p>
      </main>`,
  }
}

export function bankStyles({ color }: Institution): string {
  return `:root { --bank: ${color}; }\n`
}

export function logo(bank: Institution): Html {
  return html`<img class="logo" src="data:image/png;base64,${getLogo(bank.color)}" alt="" width="40" height="40">`
}

export function alert(fault: string | null): Html | null {
  return fault === null ? null : html`<p class="alert" role="alert">${fault}</p>`
}

export function otherBank(session: LinkSession): Html {
  return html`<p><a href="/link/${session.id}/bank">Choose another bank</a></p>`
}

export function accountBox(account: Account, isTicked: boolean): Html {
  return html`<label class="account">
    <input type="checkbox" name="account_id" value="${account.accountId}" ${isTicked && html`checked`}>
    <span class="account-name">${account.name}</span>
    <span class="quiet">${describeKind(account)}</span>
  </label>`
}

export function describeKind({ subtype, mask }: Account): string {
  return `${subtype}${mask === null ? '' : ` ending in ${mask}`}`
}
