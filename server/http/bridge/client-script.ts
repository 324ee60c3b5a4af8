/**
 * What the bridge's pages run in the shopper's browser. Each function is sent as its own text, so nothing outside its
 * braces exists there.
 */

export interface RelaySetup {
  /** The only origin that is ever told anything. */
  readonly pageOrigin: string
  readonly orderCode: string
  /** Where the browser's facts go; null on pages that collect none. */
  readonly factsPath: string | null
  /** There is no provider page to wait for: collecting ends with our own facts. */
  readonly announcesItself: boolean
}

/** Hands the provider's events on to the card page, and nothing else to anybody else. */
export const relay = ({ pageOrigin, orderCode, factsPath, announcesItself }: RelaySetup): void => {
  const frame = document.querySelector('iframe')
  const tell = (event: string): void => window.parent.postMessage({ event, order_code: orderCode }, pageOrigin)

  window.addEventListener('message', ({ origin, source, data }: MessageEvent<unknown>) => {
    // The provider and the bank are framed too; only our own event page speaks for them.
    if (origin !== window.location.origin || frame === null || source !== frame.contentWindow) return
    if (typeof data === 'object' && data !== null && 'event' in data && typeof data.event === 'string') tell(data.event)
  })

  // Laid out before it is loaded: Chromium never draws a frame that was laid out for the first time while its page arrived.
  if (frame !== null) {
    frame.getBoundingClientRect()
    frame.src = frame.dataset['src'] ?? ''
  }

  if (factsPath === null) return
  const facts = {
    language: navigator.language,
    javaEnabled: false,
    colorDepth: window.screen.colorDepth,
    height: window.screen.height,
    width: window.screen.width,
    timeZoneOffset: new Date().getTimezoneOffset(),
  }
  const headers = { 'content-type': 'application/json' }
  void fetch(factsPath, { method: 'POST', headers, body: JSON.stringify(facts), credentials: 'omit' })
    // Without our facts the issuer is told what the authenticate call itself shows: less, but no reason to stop.
    .catch(() => undefined)
    .then(() => {
      if (announcesItself) tell('3DS_DO_AUTH')
    })
}

/** The event page tells its parent, which is the bridge or nobody. */
export const announce = ({ event }: { readonly event: string }): void => {
  window.parent.postMessage({ event }, window.location.origin)
}
