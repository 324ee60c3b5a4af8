/** Endpoint mail: tells a shop that its webhook endpoint has failed for a day, or was disabled. */
import type { EndpointMailFacts } from '#contract/mail-facts.ts'
import type { Instant } from '#contract/jst.ts'
import type { MerchantMode } from '#contract/access.ts'

/** `endpoint_gone`: disabled by its own answer 410. `endpoint_disabled`: disabled after five days of failure. */
export const ENDPOINT_MAIL_KINDS = ['endpoint_failing', 'endpoint_disabled', 'endpoint_gone'] as const
export type EndpointMailKind = (typeof ENDPOINT_MAIL_KINDS)[number]

export const isEndpointMailKind = (text: string): text is EndpointMailKind =>
  ENDPOINT_MAIL_KINDS.some((kind) => kind === text)

export interface EndpointNews {
  readonly notice: {
    readonly merchantId: string
    readonly endpointId: string
    readonly kind: 'failing' | 'disabled'
    readonly failingSince: Instant
    readonly lastAnswer: EndpointMailFacts['lastAnswer']
  }
  readonly endpoint: { readonly mode: MerchantMode; readonly url: string }
}

export interface NewEndpointMail {
  readonly merchantId: string
  readonly kind: EndpointMailKind
  /** Distinguishes periods of failure. */
  readonly about: string
  readonly recipient: string
  /** Null: the shop has chosen no language. */
  readonly locale: string | null
  readonly facts: EndpointMailFacts
}

const GONE = 410

const kindOf = ({ kind, lastAnswer }: EndpointNews['notice']): EndpointMailKind => {
  if (kind === 'failing') return 'endpoint_failing'
  return 'status' in lastAnswer && lastAnswer.status === GONE ? 'endpoint_gone' : 'endpoint_disabled'
}

/** Host and path of an address: a query or a user may hold a secret of the shop. */
export const shownAddress = (url: string): string => {
  const { host, pathname } = new URL(url)
  return `${host}${pathname}`
}

export const endpointMail = (
  { notice, endpoint }: EndpointNews,
  { recipient, locale }: Pick<NewEndpointMail, 'recipient' | 'locale'>,
): NewEndpointMail => {
  const { merchantId, endpointId, failingSince, lastAnswer } = notice
  return {
    merchantId,
    kind: kindOf(notice),
    about: `${endpointId}.${failingSince}`,
    recipient,
    locale,
    facts: { mode: endpoint.mode, endpointId, address: shownAddress(endpoint.url), failingSince, lastAnswer },
  }
}
