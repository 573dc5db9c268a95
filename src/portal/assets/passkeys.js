// Adds passkeys and signs in with them. The form stays hidden unless the browser supports them.
const place = document.querySelector('[data-passkey]')
const form = place.querySelector('form')
const fault = place.querySelector('[role=alert]')
const { PublicKeyCredential } = window
const isCreating = form.elements.attestation_object !== undefined

// Passkeys belong to one origin. They are not offered in a frame, where the embedding page would have to permit them.
const canUse =
  PublicKeyCredential?.parseCreationOptionsFromJSON !== undefined &&
  location.origin === place.dataset.origin &&
  window.parent === window
if (canUse) place.hidden = false
else document.querySelector('[data-no-passkey]')?.removeAttribute('hidden')

// Browsers report the same error for a cancellation, a timeout and a missing passkey.
const getFaultText = ({ name }) =>
  ({ NotAllowedError: place.dataset.declined, InvalidStateError: place.dataset.known })[name] ?? place.dataset.failed

const ask = (options) =>
  isCreating
    ? navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) })
    : navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) })

async function send() {
  const answer = await fetch(place.dataset.passkey, { method: 'POST' })
  const { options, refusal } = await answer.json()
  if (options === null) {
    fault.textContent = refusal
    return
  }
  const { id, response } = (await ask(options)).toJSON()
  const fields = {
    credential_id: id,
    client_data: response.clientDataJSON,
    attestation_object: response.attestationObject,
    transports: response.transports?.join(' '),
    authenticator_data: response.authenticatorData,
    signature: response.signature,
  }
  for (const input of form.querySelectorAll('[type=hidden]')) input.value = fields[input.name] ?? ''
  form.submit()
}

let isBusy = false
form.addEventListener('submit', async (event) => {
  event.preventDefault()
  if (isBusy) return
  isBusy = true
  fault.textContent = ''
  await send().catch((error) => {
    fault.textContent = getFaultText(error)
  })
  isBusy = false
})
