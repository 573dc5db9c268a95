/** The link page's script: filters the list of banks, copies text, and communicates with the embedding app. */

const search = document.getElementById('search')
const banks = [...document.querySelectorAll('#banks li')]

// Used instead of the autofocus attribute, which triggers browser warnings inside an iframe.
document.querySelector('[data-focus]')?.focus()

search?.addEventListener('input', () => {
  const wanted = search.value.trim().toLowerCase()
  for (const bank of banks) bank.hidden = !bank.textContent.toLowerCase().includes(wanted)
  document.getElementById('no-banks').hidden = banks.some((bank) => !bank.hidden)
})

for (const button of document.querySelectorAll('[data-copy]')) {
  button.addEventListener('click', () => copy(button))
}

async function copy(button) {
  const source = document.getElementById(button.dataset.copy)
  try {
    await navigator.clipboard.writeText(source.textContent)
    button.textContent = 'Copied'
  } catch {
    // Without clipboard access (in an iframe or an old browser), selects the text so the user can copy it with one
    // shortcut.
    getSelection().selectAllChildren(source)
  }
}

const isFrame = window.parent !== window
const { embedder = null, ...frame } = JSON.parse(document.body.dataset.frame ?? '{}')

/** Sends the complete record to the app. Every framed page does so, and the app's script dispatches only new events. */
function notifyApp(record, origin = embedder) {
  // Messages to an embedder without an origin, such as a file, go to any origin, because such an embedder cannot be
  // addressed.
  if (isFrame && origin !== null)
    window.parent.postMessage({ type: 'laurel-link', ...record }, origin === 'null' ? '*' : origin)
}

const close = document.getElementById('close')
if (close === null) notifyApp(frame)
else {
  // The page is a dead end. The app is notified once the user has read the message and closed the page.
  close.hidden = !isFrame
  // If the session is lost, the app's origin is unknown, but the message contains nothing secret.
  const anyone = embedder ?? '*'
  close.addEventListener('click', () => notifyApp(frame, anyone))
  notifyApp({ ...frame, exit: null, fault: frame.exit }, anyone)
}

const BANK_WINDOW = 'laurel-bank'
const toBank = document.getElementById('to-bank')
if (isFrame) toBank?.addEventListener('click', openBank)

/** Opens the bank from an iframe: in a new window, or in the app's own window if the app has a return address. */
function openBank(event) {
  if (toBank.dataset.target === 'top') {
    toBank.target = '_top'
    return
  }
  const bank = window.open(toBank.href, BANK_WINDOW, 'popup,width=480,height=760')
  // If the browser blocks the window, the bank opens in the iframe.
  if (bank === null) return
  event.preventDefault()
  document.getElementById('at-bank').hidden = false
  const timer = setInterval(() => {
    if (!bank.closed) return
    clearInterval(timer)
    location.replace(toBank.dataset.back)
  }, 250)
}

const onward = document.getElementById('onward')
if (onward !== null) {
  if (window.name === BANK_WINDOW && window.opener !== null && new URL(onward.href).origin === location.origin) {
    window.close()
  } else {
    // Replaces the history entry, so that the back button does not return here.
    location.replace(onward.href)
  }
}
