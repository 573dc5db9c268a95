// A second click would submit twice or lose the first response. Forms that stay on the page may be sent again.
document.addEventListener('submit', (event) => {
  const form = event.target
  if (event.defaultPrevented || form.method !== 'post' || form.matches('[data-toggle]')) return
  if (form.dataset.sent === undefined) form.dataset.sent = ''
  else event.preventDefault()
})
// The browser may restore the page from its back/forward cache.
window.addEventListener('pageshow', () => {
  for (const form of document.forms) delete form.dataset.sent
})

// Without this script, every form still works, but with a page load.
document.addEventListener('submit', async (event) => {
  const form = event.target
  if (!form.matches('[data-toggle]')) return
  event.preventDefault()
  const button = form.querySelector('button')
  const isOn = button.getAttribute('aria-pressed') === 'true'
  const show = (on) => {
    button.setAttribute('aria-pressed', String(on))
    button.firstChild.data = on ? button.dataset.on : button.dataset.off
    form.elements.activated.value = on ? 'no' : 'yes'
  }
  const body = new URLSearchParams(new FormData(form))
  show(!isOn)
  const answer = await fetch(form.action, { method: 'POST', body }).catch(() => null)
  if (!answer?.ok) show(isOn)
})

// In a frame, the page reports only its height, so that it does not have to scroll within the embedding page.
if (window.parent !== window) {
  const tell = () =>
    window.parent.postMessage({ type: 'laurel-portal', height: document.documentElement.scrollHeight }, '*')
  new ResizeObserver(tell).observe(document.body)
}

// A session may end while a user is writing. The draft is restored when the same user returns in the same tab.
const DRAFTS = 'laurel-drafts'
const SENT = 'laurel-sent-draft'
const drafts = JSON.parse(sessionStorage.getItem(DRAFTS) ?? '{}')
const keep = () => sessionStorage.setItem(DRAFTS, JSON.stringify(drafts))
const buildKey = (form) => `${form.dataset.draft} ${new URL(form.action).pathname}`
if (new URLSearchParams(location.search).has('done')) {
  delete drafts[sessionStorage.getItem(SENT)]
  keep()
}
for (const form of document.querySelectorAll('[data-draft]')) {
  for (const [name, text] of Object.entries(drafts[buildKey(form)] ?? {})) {
    const field = form.elements[name]
    if (field?.value === '') field.value = text
  }
  form.addEventListener('input', ({ target: { name, value } }) => {
    drafts[buildKey(form)] = { ...drafts[buildKey(form)], [name]: value }
    keep()
  })
  form.addEventListener('submit', () => sessionStorage.setItem(SENT, buildKey(form)))
}
