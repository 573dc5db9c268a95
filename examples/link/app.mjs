// One page that links cards and repairs logins. See README.md beside this file.
import { createServer } from 'node:http'

const { LAUREL_URL = 'http://127.0.0.1:8080', LAUREL_KEY = '', PUBLISHER_USER_ID = 'mia', PORT = '3000' } = process.env
const { LINK_SCRIPT = 'http://127.0.0.1:8081/link/v2/stable/link-initialize.js' } = process.env
const address = `http://localhost:${PORT}/`
const query = `?redirect_uri=${encodeURIComponent(address)}`
// The key stays in the back end, and the user comes from your own session, never from the page.
async function laurel(method, path, body) {
  const headers = { 'X-API-Key': LAUREL_KEY, 'Content-Type': 'application/json' }
  return (await fetch(LAUREL_URL + path, { method, headers, body: JSON.stringify(body) })).json()
}
const calls = {
  '/cards': () => laurel('GET', `/linker/linked-cards/${PUBLISHER_USER_ID}`),
  '/link': () => laurel('GET', `/linker/link-token/${PUBLISHER_USER_ID}${query}`),
  '/repair': ({ bank }) => laurel('GET', `/linker/auth-token/${bank}/${PUBLISHER_USER_ID}${query}`),
  '/done': (result) => laurel('POST', `/linker/public-token/${PUBLISHER_USER_ID}`, result),
}

const page = `<!doctype html><meta name="viewport" content="width=device-width"><title>My cards</title>
<h1>My cards</h1><ul></ul><button>Link a card</button><p role="status"></p>
<script src="${LINK_SCRIPT}"></script><script type="module">
const [list, linkButton, status] = document.querySelectorAll('ul, button, p')
const ask = async (path, body = {}) => (await fetch(path, { method: 'POST', body: JSON.stringify(body) })).json()
async function show() {
  list.replaceChildren()
  for (const { institution_id: bank, linked_cards } of (await ask('/cards')).linked_institutions)
    for (const { name, mask, error } of linked_cards) {
      const repair = Object.assign(document.createElement('button'), { textContent: 'Sign in again' })
      repair.onclick = async () => begin(await ask('/repair', { bank }))
      const line = list.appendChild(document.createElement('li'))
      line.append(name, ' ', mask ?? '', ' ', ...(error === 'NEED_AUTHENTICATION' ? [repair] : []))
    }
}
// A bank with OAuth navigates away from the page. When the user returns, the page resumes with the same link token.
function begin({ link_token, detail }) {
  if (link_token === undefined) return (status.textContent = detail)
  sessionStorage.setItem('link_token', link_token)
  openLink(link_token)
}
function openLink(token, receivedRedirectUri) {
  const onExit = (error) => (status.textContent = error ? error.display_message ?? error.error_message : 'Not linked.')
  const onSuccess = async (public_token, { institution: { institution_id, name: institution_name } }) => {
    const { linked_cards, detail } = await ask('/done', { public_token, institution_id, institution_name })
    status.textContent = linked_cards ? linked_cards.length + ' cards at ' + institution_name : detail
    show()
  }
  Plaid.create({ token, receivedRedirectUri, onSuccess, onExit }).open()
}
linkButton.onclick = async () => begin(await ask('/link'))
if (location.search.includes('oauth_state_id=')) openLink(sessionStorage.getItem('link_token'), location.href)
history.replaceState(null, '', '/')
show()
</script>`

createServer(async (request, response) => {
  const call = calls[request.url]
  if (request.method !== 'POST' || call === undefined) return response.setHeader('Content-Type', 'text/html').end(page)
  response.end(JSON.stringify(await call(await new Response(request).json())))
}).listen(PORT, 'localhost', () => console.log(`Open ${address}`))
