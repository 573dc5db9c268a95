// A single page that links cards and repairs logins. See README.md.
import { createServer } from 'node:http'

const { LAUREL_URL = 'http://127.0.0.1:8080', LAUREL_KEY = '', PUBLISHER_USER_ID: user = 'mia' } = process.env
const { LINK_SCRIPT = 'http://127.0.0.1:8081/link/v2/stable/link-initialize.js', PORT = '3000' } = process.env
const address = `http://localhost:${PORT}/`
// The key stays on the server, and the user comes from your own session, never from the page.
const headers = { 'X-API-Key': LAUREL_KEY, 'Content-Type': 'application/json' }
const laurel = async (method, path, sent) =>
  (await fetch(LAUREL_URL + path, { method, headers, body: JSON.stringify(sent) })).json()
// Encodes each part, because input from the page could otherwise reach other users' data.
const path = (texts, ...parts) => String.raw({ raw: texts }, ...parts.map(encodeURIComponent))
const calls = {
  '/cards': () => laurel('GET', path`/linker/linked-cards/${user}`),
  '/link': () => laurel('GET', path`/linker/link-token/${user}?redirect_uri=${address}`),
  '/repair': ({ bank }) => laurel('GET', path`/linker/auth-token/${bank}/${user}?redirect_uri=${address}`),
  '/done': (result) => laurel('POST', path`/linker/public-token/${user}`, result),
}

const page = `<!doctype html><meta name="viewport" content="width=device-width"><title>My cards</title>
<h1>My cards</h1><ul></ul><button>Link a card</button><p role="status"></p>
<script src="${LINK_SCRIPT}"></script><script type="module">
const [list, linkButton, status] = document.querySelectorAll('ul, button, p')
const post = { method: 'POST', headers: { 'Content-Type': 'application/json' } }
const ask = async (path, sent = {}) => (await fetch(path, { ...post, body: JSON.stringify(sent) })).json()
const fail = (detail) => (console.error(detail), (status.textContent = 'That did not work. Please try again later.'))
async function show() {
  const { linked_institutions, detail } = await ask('/cards')
  if (linked_institutions === undefined) return fail(detail)
  list.replaceChildren()
  for (const { institution_id: bank, institution_name, linked_cards } of linked_institutions) {
    const line = list.appendChild(document.createElement('li'))
    line.append(institution_name, ': ', linked_cards.map(({ name, mask }) => name + ' ' + (mask ?? '')).join(', '), ' ')
    if (!linked_cards.some(({ error }) => error === 'NEED_AUTHENTICATION')) continue
    const repair = line.appendChild(Object.assign(document.createElement('button'), { textContent: 'Sign in again' }))
    repair.onclick = async () => openLink(await ask('/repair', { bank }))
  }
}
// A bank with OAuth navigates away from the page. When the user returns, the page resumes with the same link token.
function openLink({ link_token: token, detail }, receivedRedirectUri) {
  if (!token) return fail(detail)
  sessionStorage.setItem('link_token', token)
  const onExit = (error) => (handler.destroy(), (status.textContent = error?.display_message ?? 'Not linked.'))
  const onSuccess = async (public_token, { institution: { institution_id, name: institution_name } }) => {
    handler.destroy()
    const { linked_cards, detail } = await ask('/done', { public_token, institution_id, institution_name })
    if (linked_cards === undefined) return fail(detail)
    status.textContent = institution_name + ' is linked.'
    show()
  }
  const handler = Plaid.create({ token, receivedRedirectUri, onSuccess, onExit })
  handler.open()
}
linkButton.onclick = async () => openLink(await ask('/link'))
if (location.search.includes('oauth_state_id=')) openLink({ ...sessionStorage }, location.href)
history.replaceState(null, '', '/')
show()
</script>`

createServer(async (request, response) => {
  const call = request.method === 'POST' ? calls[request.url] : undefined
  if (call === undefined) return response.setHeader('Content-Type', 'text/html').end(page)
  // Other sites cannot send this content type here.
  const isOwn = request.headers['content-type'] === 'application/json'
  const answer = isOwn ? new Response(request).json().then(call) : Promise.reject(new Error('Send application/json.'))
  response.end(JSON.stringify(await answer.catch(({ message }) => ({ detail: message }))))
}).listen(PORT, 'localhost', () => console.log(`Open ${address}`))
