/**
 * A drop-in replacement for the provider's browser script. `Plaid.create()` shows the link page in an iframe on top of
 * the app's page. The iframe posts messages, and this script calls the app's callbacks.
 */

// Everything is in a block, because a plain script shares its top-level declarations with the app.
{
  // The simulator fills in its own address when it serves the script.
  const SIMULATOR = '{{SIMULATOR}}'
  const PROVIDER = 'https://cdn.plaid.com/link/v2/stable/link-initialize.js'

  /** The metadata of an exit before the page has loaded. */
  const EMPTY_METADATA = { institution: null, status: null, link_session_id: '', request_id: '' }

  const create = ({ token, receivedRedirectUri, ...functions }) => {
    if (typeof token !== 'string' || token === '') throw new Error('Plaid.create() needs a link token, as `token`.')
    if (typeof functions.onSuccess !== 'function') throw new Error('Plaid.create() needs a function `onSuccess`.')
    const query = new URLSearchParams({ token, origin: location.origin })
    if (receivedRedirectUri !== undefined) query.set('received_redirect_uri', receivedRedirectUri)
    const { overlay, frame } = buildOverlay()
    const load = () => {
      frame.src = `${SIMULATOR}/link?${query}`
    }
    const dispatcher = createDispatcher(functions, () => {
      overlay.hide()
      // Reloads before notifying the app, because the app may immediately reopen the page, which must then start over.
      query.delete('received_redirect_uri')
      load()
    })
    const onMessage = ({ source, origin, data }) => {
      if (source !== frame.contentWindow || origin !== SIMULATOR || data?.type !== 'laurel-link') return
      dispatcher.receive(data, overlay.isOpen())
    }
    window.addEventListener('message', onMessage)
    load()
    return {
      open() {
        overlay.show()
        frame.focus()
        dispatcher.dispatch()
      },
      exit({ force = false } = {}) {
        if (!overlay.isOpen()) return
        if (force) overlay.hide()
        const session = dispatcher.sessionId()
        if (session === null) return dispatcher.leave()
        // Navigates instead of posting a message, because a message sent while the iframe is navigating would be lost.
        frame.contentWindow.location.replace(`${SIMULATOR}/link/${session}/${force ? 'left' : 'exit'}`)
      },
      destroy() {
        overlay.hide()
        overlay.remove()
        window.removeEventListener('message', onMessage)
      },
    }
  }

  /**
   * Translates the iframe's records into calls to the app's callbacks. Each record is complete, so only the latest is
   * needed.
   */
  const createDispatcher = ({ onLoad, onEvent, onSuccess, onExit }, end) => {
    let isLoaded = false
    let hasStarted = false
    let latest = null
    let delivered = new Set()

    const dispatch = () => {
      hasStarted = true
      if (latest === null) return
      const { events, result, exit } = latest
      for (const { event_id, event_name, metadata } of events) {
        if (delivered.has(event_id)) continue
        delivered.add(event_id)
        onEvent?.(event_name, metadata)
      }
      if (result !== null) finish(() => onSuccess(result.public_token, result.metadata))
      else if (exit !== null) finish(() => onExit?.(exit.error, exit.metadata))
    }

    const finish = (call) => {
      hasStarted = false
      latest = null
      delivered = new Set()
      end()
      call()
    }

    /** Ends without a session, because the page has not loaded or shows a fatal error. */
    const leave = () => {
      const { error, metadata } = latest?.fault ?? { error: null, metadata: EMPTY_METADATA }
      finish(() => onExit?.(error, metadata))
    }

    const receive = (record, isOpen) => {
      latest = record
      if (!isLoaded) {
        isLoaded = true
        onLoad?.()
      }
      // After a forced exit the overlay is already closed, but the app must still be notified.
      if (isOpen || (hasStarted && record.exit !== null)) dispatch()
    }

    return { dispatch, receive, leave, sessionId: () => latest?.link_session_id ?? null }
  }

  const buildOverlay = () => {
    const element = document.createElement('div')
    const frame = document.createElement('iframe')
    for (const [name, value] of [
      ['role', 'dialog'],
      ['aria-modal', 'true'],
      ['aria-label', 'Connect your cards'],
    ])
      element.setAttribute(name, value)
    Object.assign(element.style, {
      display: 'none',
      position: 'fixed',
      inset: '0',
      zIndex: '2147483647',
      placeItems: 'center',
      background: 'rgb(10 16 22 / 60%)',
    })
    frame.title = 'Connect your cards'
    frame.allow = 'clipboard-write'
    // In pixels, because the app controls the size of a rem. On a phone the iframe fills the window.
    Object.assign(frame.style, {
      width: 'min(416px, 100vw)',
      height: 'min(100dvh, max(736px, (417px - 100vw) * 10000))',
      border: '0',
      borderRadius: 'min(16px, max(0px, 100vw - 416px))',
    })
    element.append(frame)
    // A script in the head may call this before the body exists.
    const page = document.body ?? document.documentElement
    page.append(element)
    return { frame, overlay: { remove: () => element.remove(), ...createVisibility(element) } }
  }

  /** Shows and hides the overlay. While it is open, the page behind it cannot scroll. */
  const createVisibility = (element) => {
    const page = document.documentElement.style
    let scrolling = null
    const hide = () => {
      if (scrolling !== null) page.overflow = scrolling
      scrolling = null
      element.style.display = 'none'
    }
    const show = () => {
      scrolling ??= page.overflow
      page.overflow = 'hidden'
      element.style.display = 'grid'
    }
    return { show, hide, isOpen: () => scrolling !== null }
  }

  window.Plaid = { create }

  // Apps that load the provider's script themselves, such as those using react-plaid-link, find this element and assume
  // that the script is already loaded. The type keeps the browser from loading anything.
  if (document.querySelector(`script[src="${PROVIDER}"]`) === null) {
    const placeholder = document.createElement('script')
    placeholder.type = 'text/plain'
    placeholder.src = PROVIDER
    document.head.append(placeholder)
  }
}
