/** The link page's little script: narrows the list of banks, copies, and hands the result to the page's opener. */
const search = document.getElementById('search')
const banks = [...document.querySelectorAll('#banks li')]

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

const result = document.getElementById('result')
if (result !== null) {
  const receiver = window.opener ?? (window.parent === window ? null : window.parent)
  // To any origin: a public token cannot be used without the client's secret, and the opener may be anywhere.
  receiver?.postMessage({ type: 'laurel-link-success', ...JSON.parse(result.dataset.result) }, '*')
}

// Replaced, so that the way back in the browser does not lead here again.
const onward = document.getElementById('onward')
if (onward !== null) location.replace(onward.href)
