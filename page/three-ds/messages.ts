/** What a frame of the 3-D Secure bridge says about an order. `other` is any name that the flow does not know. */
export interface ProviderMessage {
  readonly event: '3DS_DO_AUTH' | '3DS_AUTH_RESULT_READY' | 'other'
  readonly orderCode: string
}

/** A message as the browser delivers it. Everybody who holds a reference to this window can send one. */
export interface Arrived {
  readonly origin: string
  readonly source: unknown
  readonly data: unknown
}

export interface Gate {
  readonly messageDomains: readonly string[]
  /** The windows of the frames that stand on the page now. */
  readonly frames: readonly unknown[]
  readonly orderCode: string
}

/** `null`, `blob:` and anything that is not exactly an origin is none. */
const originUrl = (text: string): URL | undefined => {
  if (!URL.canParse(text)) return undefined
  const url = new URL(text)
  return url.origin === text ? url : undefined
}

/** The dot is what keeps `evil3ds.example` from passing for `3ds.example`. */
const isWithin = (origin: string, domain: string): boolean => {
  const [from, known] = [originUrl(origin), originUrl(domain)]
  if (from === undefined || known === undefined) return false
  if (from.protocol !== known.protocol || from.port !== known.port) return false
  return from.hostname === known.hostname || from.hostname.endsWith(`.${known.hostname}`)
}

const camelCase = (key: string): string => key.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

/**
 * The message's own values by their camelCase names; undefined when it is no plain object or says a thing twice. No getter
 * is run: a value that is computed counts as none.
 */
const fieldsOf = (data: unknown): ReadonlyMap<string, unknown> | undefined => {
  if (typeof data !== 'object' || data === null) return undefined
  const prototype: unknown = Object.getPrototypeOf(data)
  if (prototype !== Object.prototype && prototype !== null) return undefined
  const fields = new Map<string, unknown>()
  for (const [key, property] of Object.entries(Object.getOwnPropertyDescriptors(data))) {
    const name = camelCase(key)
    if (fields.has(name)) return undefined
    fields.set(name, property.value)
  }
  return fields
}

const readMessage = (data: unknown, orderCode: string): ProviderMessage | undefined => {
  const fields = fieldsOf(data)
  const event = fields?.get('event')
  if (typeof event !== 'string' || fields?.get('orderCode') !== orderCode) return undefined
  return { event: event === '3DS_DO_AUTH' || event === '3DS_AUTH_RESULT_READY' ? event : 'other', orderCode }
}

/**
 * The gate that every message passes or is ignored at: from the bridge's origin, from a frame that stands on the page, in
 * the agreed shape, about the order under way. What is let through is still no more than a hint to ask the server.
 */
export const admit = ({ origin, source, data }: Arrived, gate: Gate): ProviderMessage | undefined => {
  if (!gate.messageDomains.some((domain) => isWithin(origin, domain))) return undefined
  if (source === null || source === undefined || !gate.frames.includes(source)) return undefined
  try {
    return readMessage(data, gate.orderCode)
  } catch {
    // An object that throws when it is looked at is nothing the bridge sends.
    return undefined
  }
}
