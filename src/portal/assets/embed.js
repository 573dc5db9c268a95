// Shows a portal on a publisher's page, after this script's element: <script src="…/portal/embed.js" data-link="…">
{
  const script = document.currentScript
  const frame = document.createElement('iframe')
  const { origin } = new URL(script.src)
  frame.src = script.dataset.link
  frame.title = script.dataset.title ?? 'Rewards'
  Object.assign(frame.style, { width: '100%', height: '40rem', border: '0' })
  window.addEventListener('message', ({ source, origin: from, data }) => {
    if (source !== frame.contentWindow || from !== origin || data?.type !== 'laurel-portal') return
    frame.style.height = `${Number(data.height)}px`
  })
  script.after(frame)
}
