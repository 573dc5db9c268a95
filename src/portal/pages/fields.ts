import { type Html, html } from '../../platform/html.ts'
import type { Visit } from '../visit.ts'

type FieldInput = {
  /** The name of the field in the form, and its id on the page. */
  readonly name: string
  readonly label: string
  readonly help?: string
  /** What stands there before the user has sent anything. */
  readonly value?: string
  /** Attributes of the input, such as its type. */
  readonly attributes?: Html
}

/** A labelled input. After a refusal it keeps what was sent, and what is wrong with it stands beside it. */
export function textInput(visit: Visit, input: FieldInput): Html {
  const { name, value = '', attributes = html`type="text"` } = input
  return fieldOf(
    visit,
    input,
    (described) =>
      html`<input id="${name}" name="${name}" value="${sentValue(visit, name) ?? value}" ${attributes} ${described} />`,
  )
}

/** The same with several lines. */
export function textArea(visit: Visit, input: FieldInput): Html {
  const { name, value = '', attributes } = input
  return fieldOf(
    visit,
    input,
    (described) =>
      html`<textarea id="${name}" name="${name}" rows="4" ${attributes} ${described}>${sentValue(visit, name) ?? value}</textarea>`,
  )
}

type Choice = { readonly value: string; readonly text: string }

/** The same as a list to choose from. */
export function selectInput(visit: Visit, input: FieldInput, choices: readonly Choice[]): Html {
  const { name, value = '', attributes } = input
  const chosen = sentValue(visit, name) ?? value
  const options = choices.map(
    (one) => html`<option value="${one.value}" ${one.value === chosen && html`selected`}>${one.text}</option>`,
  )
  return fieldOf(
    visit,
    input,
    (described) => html`<select id="${name}" name="${name}" ${attributes} ${described}>${options}</select>`,
  )
}

function fieldOf(visit: Visit, { name, label, help }: FieldInput, control: (described: Html) => Html): Html {
  const fault = faultOf(visit, name)
  const ids = [help !== undefined && `${name}-help`, fault !== null && `${name}-fault`].filter((id) => id !== false)
  const described = html`${ids.length > 0 && html`aria-describedby="${ids.join(' ')}"`} ${fault !== null && html`aria-invalid="true" autofocus`}`
  return html`<div class="field">
    <label for="${name}">${label}</label>
    ${control(described)}
    ${help !== undefined && html`<span class="help" id="${name}-help">${help}</span>`}
    ${fault !== null && html`<span class="error" id="${name}-fault">${fault}</span>`}
  </div>`
}

/** What was sent in a field of the form that was refused; undefined: this page follows no refusal. */
export function sentValue({ sent }: Visit, name: string): string | undefined {
  return sent?.values[name]
}

/** What is wrong with a field, or null. */
export function faultOf({ sent, words }: Visit, name: string): string | null {
  return sent?.field === name ? faultText(words, sent.code) : null
}

export function faultText(words: Visit['words'], code: string): string {
  return Object.entries(words.faults).find(([known]) => known === code)?.[1] ?? words.gone.refusedText
}

/** What is wrong with the form as a whole: what no field of it explains. */
export function formFault({ sent, words }: Visit): Html | null {
  if (sent === null || (sent.field !== null && sent.field in sent.values)) return null
  return html`<p class="note" role="alert">${faultText(words, sent.code)}</p>`
}
