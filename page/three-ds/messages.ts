/** Provider message: what a frame of the 3-D Secure bridge reports about an order. `other` is any unknown event name. */
import { parseUrl } from '../urls.ts'

export interface ProviderMessage {
  readonly event: '3DS_DO_AUTH' | '3DS_AUTH_RESULT_READY' | 'other'
  readonly orderCode: string
}

/** A message as the browser delivers it. Any site that has a reference to this window can send one. */
export interface UntrustedMessage {
  readonly origin: string
  readonly source: unknown
  readonly data: unknown
}

/** What a message must match to be accepted. */
export interface MessageFilter {
  readonly messageDomains: readonly string[]
  /** The windows of the frames that are on the page now. */
  readonly frames: readonly unknown[]
  readonly orderCode: string
}

/** Undefined for `null`, `blob:` and anything else that is not exactly an origin. */
const originUrl = (text: string): URL | undefined => {
  const url = parseUrl(text)
  return url?.origin === text ? url : undefined
}

/** Without the dot `evil3ds.example` would pass for a subdomain of `3ds.example`. */
const isSameOrSubdomain = (origin: string, domain: string): boolean => {
  const [sender, known] = [originUrl(origin), originUrl(domain)]
  if (sender === undefined || known === undefined) return false
  if (sender.protocol !== known.protocol || sender.port !== known.port) return false
  return sender.hostname === known.hostname || sender.hostname.endsWith(`.${known.hostname}`)
}

const camelCase = (key: string): string => key.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

/**
 * The message's own values by their camelCase names; undefined when it is no plain object or has a name twice. No getter is
 * run: a computed value counts as none.
 */
const ownFields = (data: unknown): ReadonlyMap<string, unknown> | undefined => {
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

const parseMessage = (data: unknown, orderCode: string): ProviderMessage | undefined => {
  const fields = ownFields(data)
  const event = fields?.get('event')
  if (typeof event !== 'string' || fields?.get('orderCode') !== orderCode) return undefined
  return { event: event === '3DS_DO_AUTH' || event === '3DS_AUTH_RESULT_READY' ? event : 'other', orderCode }
}

/**
 * Message check: only a message from the bridge's origin, from a frame on the page, in the agreed shape and about the
 * current order is accepted; every other is ignored. An accepted one is still only a hint: the server reads the result.
 */
export const acceptMessage = (
  { origin, source, data }: UntrustedMessage,
  filter: MessageFilter,
): ProviderMessage | undefined => {
  if (!filter.messageDomains.some((domain) => isSameOrSubdomain(origin, domain))) return undefined
  if (source === null || source === undefined || !filter.frames.includes(source)) return undefined
  try {
    return parseMessage(data, filter.orderCode)
  } catch {
    // The bridge sends no object that throws when it is read.
    return undefined
  }
}
