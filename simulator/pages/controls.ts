import { type Html, html } from './html.ts'

/**
 * Forms that the page's script sends to the control interface as JSON. Programs can therefore do everything that the
 * page can, and validation is in one place. A form may make several calls in sequence.
 */

type Calls = string | readonly string[]

/** Builds a single button. `said` is the message shown once the calls have succeeded. */
export function button(calls: Calls, label: string, { said = `Done: ${label}.`, hidden = html`` } = {}): Html {
  return html`<form data-calls="${listed(calls)}" data-said="${said}">${hidden}
    <button type="submit" class="small">${label}</button></form>`
}

/** Builds a form with fields and a submit button. */
export function action(calls: Calls, label: string, fields: Html | readonly Html[]): Html {
  return html`<form class="action" data-calls="${listed(calls)}" data-said="Done: ${label}.">${fields}
    <button type="submit" class="small">${label}</button></form>`
}

type Input = {
  readonly name: string
  readonly kind?: 'text' | 'amount' | 'count' | 'percent' | 'date' | 'days'
  readonly value?: string
  readonly hint?: string
  readonly required?: boolean
}

/** Builds an input field. An empty one is omitted from the call. Dots in a name create nested objects. */
export function input(label: string, { name, kind = 'text', value = '', hint = '', required = false }: Input): Html {
  return html`<label><span>${label}</span><input name="${name}" value="${value}" placeholder="${hint}" maxlength="255"
    autocomplete="off" ${KINDS[kind]} ${required && html`required`}></label>`
}

const KINDS = {
  text: html`type="text"`,
  amount: html`type="number" data-type="number" min="0" step="0.01" inputmode="decimal"`,
  count: html`type="number" data-type="number" min="0" step="1" inputmode="numeric"`,
  percent: html`type="number" data-type="percent" min="0" max="100" step="1" inputmode="numeric"`,
  days: html`type="number" data-type="days" min="0" max="3650" step="any" inputmode="decimal"`,
  date: html`type="date"`,
} as const

export function check(label: string, name: string, checked = false): Html {
  return html`<label class="check"><input type="checkbox" name="${name}" data-type="boolean"
    ${checked && html`checked`}><span>${label}</span></label>`
}

export type Option = readonly [value: string, label: string]

export function select(label: string, name: string, options: readonly Option[]): Html {
  return html`<label><span>${label}</span><select name="${name}">${options.map(([value, text]) => {
    return html`<option value="${value}">${text}</option>`
  })}</select></label>`
}

/** Builds a hidden field with a fixed value. */
export function fixed(name: string, value: boolean | number | string): Html {
  return html`<input type="hidden" name="${name}" data-type="json" value="${JSON.stringify(value)}">`
}

/** Builds a collapsible section for rarely needed controls. It stays open when the page reloads. */
export function more(id: string, label: string, content: Html | readonly (Html | null)[]): Html {
  return html`<details class="more" id="${id}"><summary>${label}</summary><div class="actions">${content}</div></details>`
}

function listed(calls: Calls): string {
  return typeof calls === 'string' ? calls : calls.join(' | ')
}
