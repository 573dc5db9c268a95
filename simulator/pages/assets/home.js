/** Sends each form of the home page to its control as JSON, then shows the page as it stands, or what went wrong. */
for (const form of document.querySelectorAll('form[data-control]')) {
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    send(form)
  })
}

async function send(form) {
  const answer = await fetch(form.dataset.control, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(read(form)),
  })
  if (answer.ok) return location.reload()
  const fault = document.getElementById('fault')
  fault.textContent = (await answer.json()).error_message
  fault.hidden = false
  fault.scrollIntoView({ block: 'center' })
}

function read(form) {
  const content = {}
  for (const field of form.elements) {
    if (field.name === '') continue
    if (field.dataset.type === 'boolean') content[field.name] = field.checked
    else if (field.value !== '')
      content[field.name] = field.dataset.type === 'number' ? Number(field.value) : field.value
  }
  return content
}
