// Without this script every form still works, with a page load in between.
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

// In a frame the page tells how high it is, and nothing else, so that it need not scroll within another page.
if (window.parent !== window) {
  const tell = () =>
    window.parent.postMessage({ type: 'laurel-portal', height: document.documentElement.scrollHeight }, '*')
  new ResizeObserver(tell).observe(document.body)
}
