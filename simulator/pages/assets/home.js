/**
 * Submits each form on the home page to its control endpoint as JSON, then reloads the page and shows the result, or
 * shows the error. Open sections stay open.
 */

const KEPT = 'simulator-page'

for (const form of document.querySelectorAll('form[data-calls]')) {
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    send(form, { ...form.dataset, ...event.submitter?.dataset })
  })
}

async function send(form, { calls, said }) {
  const content = read(form)
  for (const call of calls.split(' | ')) {
    const [method, path] = call.split(' ')
    const fault = await ask(method, path, content)
    if (fault !== null) return complain(fault)
  }
  keep(said)
  location.reload()
}

async function ask(method, path, content) {
  const body =
    method === 'POST' ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(content) } : {}
  try {
    const answer = await fetch(path, { method, ...body })
    return answer.ok ? null : (await answer.json()).error_message
  } catch {
    return 'The simulator does not answer; is it still running?'
  }
}

function complain(text) {
  const fault = document.getElementById('fault')
  fault.textContent = text
  fault.hidden = false
  fault.scrollIntoView({ block: 'center' })
}

/** Reads a form into an object. Empty fields are omitted, and a dot in a field's name creates a nested object. */
function read(form) {
  const content = {}
  for (const field of form.elements) {
    const value = readField(field)
    if (field.name === '' || value === undefined) continue
    const names = field.name.split('.')
    const last = names.pop()
    let place = content
    for (const name of names) {
      place[name] ??= {}
      place = place[name]
    }
    place[last] = value
  }
  return content
}

function readField({ value, checked, dataset }) {
  if (dataset.type === 'boolean') return checked
  if (value === '') return undefined
  if (dataset.type === 'number') return Number(value)
  if (dataset.type === 'percent') return Number(value) / 100
  if (dataset.type === 'days') return Math.round(Number(value) * 86_400)
  if (dataset.type === 'json') return JSON.parse(value)
  return value
}

function keep(said) {
  const open = [...document.querySelectorAll('details[open][id]')].map(({ id }) => id)
  sessionStorage.setItem(KEPT, JSON.stringify({ said, open }))
}

const kept = JSON.parse(sessionStorage.getItem(KEPT) ?? 'null')
if (kept !== null) {
  // Cleared so that the message is shown only once. Open sections are saved again with the next submission.
  sessionStorage.removeItem(KEPT)
  for (const id of kept.open) document.getElementById(id)?.setAttribute('open', '')
  const said = document.getElementById('said')
  said.textContent = kept.said
  said.hidden = false
}
