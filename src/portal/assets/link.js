// Shows the linking provider's component, whose script precedes this one on the page.
const place = document.querySelector('[data-linking]')
const status = place.querySelector('[role=status]')
const buttons = document.querySelectorAll('[data-link]')
const setEnabled = (enabled) => {
  for (const button of buttons) button.disabled = !enabled
}
const fail = () => {
  status.textContent = place.dataset.failed
  setEnabled(true)
}

function open(token, receivedRedirectUri) {
  const handler = Plaid.create({
    token,
    receivedRedirectUri,
    onSuccess: (publicToken, { institution }) => {
      handler.destroy()
      const form = place.querySelector('form')
      form.elements.public_token.value = publicToken
      form.elements.institution_id.value = institution.institution_id
      form.elements.institution_name.value = institution.name
      form.submit()
    },
    onExit: (error) => {
      handler.destroy()
      status.textContent = error?.display_message ?? ''
      setEnabled(true)
    },
  })
  handler.open()
}

async function start(institutionId) {
  setEnabled(false)
  const body = new URLSearchParams(institutionId === '' ? {} : { institution_id: institutionId })
  const answer = await fetch(place.dataset.linking, { method: 'POST', body })
  const { token } = await answer.json()
  if (token === null) return fail()
  sessionStorage.setItem('link_token', token)
  open(token)
}

if (typeof Plaid === 'undefined') status.textContent = place.dataset.failed
else {
  setEnabled(true)
  for (const button of buttons) button.addEventListener('click', () => start(button.dataset.link).catch(fail))
  // If the bank took over the window, the user returns here and linking resumes with the earlier token.
  if (location.search.includes('oauth_state_id=')) {
    const { href } = location
    history.replaceState(null, '', location.pathname)
    open(sessionStorage.getItem('link_token'), href)
  }
}
