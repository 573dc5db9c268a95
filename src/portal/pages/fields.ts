import { type Html, html } from '../../platform/text/html.ts'
import type { PortalPage, Tab, Visit } from '../visit.ts'
import { formatCount, formatInstant, formatMoney } from '../words/formats.ts'

type FieldInput = {
  /** The name of the form field, and its ID on the page. */
  readonly name: string
  readonly label: string
  readonly help?: string
  /** The initial value, before the user has sent anything. */
  readonly value?: string
  /** HTML attributes of the input, such as its type. */
  readonly attributes?: Html
}

/** Renders a labeled input. If the form was refused, shows the submitted value with the error next to it. */
export function renderTextInput(visit: Visit, input: FieldInput): Html {
  const { name, value = '', attributes = html`type="text"` } = input
  return renderField(
    visit,
    input,
    (described) =>
      html`<input id="${name}" name="${name}" value="${getSentValue(visit, name) ?? value}" ${attributes} ${described} />`,
  )
}

/** Renders a labeled multi-line input. */
export function renderTextArea(visit: Visit, input: FieldInput): Html {
  const { name, value = '', attributes } = input
  return renderField(
    visit,
    input,
    (described) =>
      html`<textarea id="${name}" name="${name}" rows="4" ${attributes} ${described}>${getSentValue(visit, name) ?? value}</textarea>`,
  )
}

type Choice = { readonly value: string; readonly text: string }

/** Renders a labeled select list. */
export function selectInput(visit: Visit, input: FieldInput, choices: readonly Choice[]): Html {
  const { name, value = '', attributes } = input
  const chosen = getSentValue(visit, name) ?? value
  const options = choices.map(
    (one) => html`<option value="${one.value}" ${one.value === chosen && html`selected`}>${one.text}</option>`,
  )
  return renderField(
    visit,
    input,
    (described) => html`<select id="${name}" name="${name}" ${attributes} ${described}>${options}</select>`,
  )
}

function renderField(visit: Visit, { name, label, help }: FieldInput, control: (described: Html) => Html): Html {
  const fault = findFault(visit, name)
  const ids = [help !== undefined && `${name}-help`, fault !== null && `${name}-fault`].filter((id) => id !== false)
  const described = html`${ids.length > 0 && html`aria-describedby="${ids.join(' ')}"`} ${fault !== null && html`aria-invalid="true" autofocus`}`
  return html`<div class="field">
    <label for="${name}">${label}</label>
    ${control(described)}
    ${help !== undefined && html`<span class="help" id="${name}-help">${help}</span>`}
    ${fault !== null && html`<span class="error" id="${name}-fault">${fault}</span>`}
  </div>`
}

/** Returns the value submitted in a field of a refused form; undefined if there was no refusal. */
export function getSentValue({ sent }: Visit, name: string): string | undefined {
  return sent?.values[name]
}

/** Returns the error in a field; null if there is none. */
export function findFault(visit: Visit, name: string): string | null {
  const { sent } = visit
  return sent?.field === name ? sentFault(visit, sent) : null
}

export function getFaultText(words: Visit['words'], code: string): string {
  return Object.entries(words.faults).find(([known]) => known === code)?.[1] ?? words.gone.refusedText
}

/** Returns the text for an error, with figures from the refusal if it has any. */
function sentFault(visit: Visit, { code, members }: NonNullable<Visit['sent']>): string {
  const { words } = visit
  const { faultFigures: texts } = words
  const money = (amount: unknown): string => formatMoney(words, String(amount), String(members['currency']))
  const { available_cashback: available, redemption_minimum: least, day_maximum: most, day_count: count } = members
  if (code === 'balance_insufficient' && available !== undefined) return texts.balance_insufficient(money(available))
  if (code === 'redemption_below_minimum' && least !== undefined) return texts.redemption_below_minimum(money(least))
  if (code === 'destination_cooling_down' && typeof members['usable_from'] === 'string')
    return texts.destination_cooling_down(formatInstant(visit, new Date(members['usable_from'])))
  // If both limits are set, the refusal does not show which one was exceeded.
  if (code === 'redemption_limit_reached' && typeof most === 'number' && count === null)
    return texts.dayMax(money(most))
  if (code === 'redemption_limit_reached' && typeof count === 'number' && most === null)
    return texts.dayCount(formatCount(words, count))
  return getFaultText(words, code)
}

/** Renders an error that concerns the entire form rather than a field. */
export function renderFormFault(visit: Visit): Html | null {
  const { sent } = visit
  if (sent === null || (sent.field !== null && sent.field in sent.values)) return null
  return html`<p class="note" role="alert" tabindex="-1" autofocus>${sentFault(visit, sent)}</p>`
}

/** Renders a page with forms. Errors that concern an entire form are shown below the title. */
export function renderFormPage(visit: Visit, title: string, content: Html, tab?: Tab): PortalPage {
  const whole = html`<section class="form">
    <h1>${title}</h1>
    ${renderFormFault(visit)}
    ${content}
  </section>`
  return { title, content: whole, ...(tab && { tab }) }
}

type FormPanel = {
  readonly title: string
  readonly text: string
  /** The form's path within the portal. */
  readonly path: string
  readonly button: string
  readonly isDangerous?: true
}

/** Renders a panel with a form that has a single button. */
export function renderFormPanel({ base }: Visit, panel: FormPanel, inputs: Html | readonly Html[] | false): Html {
  const { title, text, path, button, isDangerous } = panel
  return html`<div class="panel">
    <h2>${title}</h2>
    <p>${text}</p>
    <form method="post" action="${base}${path}">
      ${inputs}
      <div class="row"><button class="btn${isDangerous && ' danger'}">${button}</button></div>
    </form>
  </div>`
}
