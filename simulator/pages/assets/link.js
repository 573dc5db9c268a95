/** The link page's script: filters the list of banks, copies text, and communicates with the embedding app. */
const search = document.getElementById('search')
const banks = [...document.querySelectorAll('#banks li')]

// Not by the attribute autofocus, about which browsers complain in a frame.
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
    // No access to the clipboard (a frame, an old browser): marked text is one key away from being copied.
    getSelection().selectAllChildren(source)
  }
}

const isFrame = window.parent !== window
const { embedder = null, ...frame } = JSON.parse(document.body.dataset.frame ?? '{}')

/** Every framed page sends the complete record so far; the app's script dispatches only what is new. */
function notifyApp(record, origin = embedder) {
  // A page without an origin, such as a file, cannot be named.
  if (isFrame && origin !== null)
    window.parent.postMessage({ type: 'laurel-link', ...record }, origin === 'null' ? '*' : origin)
}

const close = document.getElementById('close')
if (close === null) notifyApp(frame)
else {
  // A dead end: the app is notified once the user has read the message and closes it.
  close.hidden = !isFrame
  // A lost session no longer knows the app, and there is nothing secret to send.
  const anyone = embedder ?? '*'
  close.addEventListener('click', () => notifyApp(frame, anyone))
  notifyApp({ ...frame, exit: null, fault: frame.exit }, anyone)
}

const BANK_WINDOW = 'laurel-bank'
const toBank = document.getElementById('to-bank')
if (isFrame) toBank?.addEventListener('click', openBank)

/** In a frame the bank has a window of its own, or takes the app's when the app has an address to return to. */
function openBank(event) {
  if (toBank.dataset.target === 'top') {
    toBank.target = '_top'
    return
  }
  const bank = window.open(toBank.href, BANK_WINDOW, 'popup,width=480,height=760')
  // A browser that allows no window shows the bank in the frame.
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
    // Replaced, so that the way back in the browser does not lead here again.
    location.replace(onward.href)
  }
}
