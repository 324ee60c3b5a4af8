/** Origins of merchants' pages, of the bridge and of the console. */
import { isLoopback } from '#contract/loopback.ts'

/** `demo` on https://pay.example.com becomes https://demo.pay.example.com. */
export const merchantOrigin = (base: URL, label: string): string => `${base.protocol}//${label}.${base.host}`

/** The bridge to the card issuers lives on a host of ours, so the card page frames one host and no other. */
export const bridgeOrigin = (base: URL): string => merchantOrigin(base, '3ds')

/** Where people of shops and operators sign in. */
export const consoleOrigin = (base: URL): string => merchantOrigin(base, 'console')

/** Elsewhere the cookie of a session would go over the network in the clear, and browsers make no passkeys. */
export const hasConsole = ({ protocol, hostname }: URL): boolean => protocol === 'https:' || isLoopback(hostname)

export const noConsole = (base: URL): string =>
  `${base.origin} has no console, so that no link to it works: set PUBLIC_BASE to an address with https://, or on this machine to one of localhost.`

/** Hosts below the base that are ours or may become so; `3ds-server` and `bank` are the sandbox's. */
const RESERVED_LABELS = new Set(['3ds', '3ds-server', 'admin', 'api', 'bank', 'console', 'preview', 'static', 'www'])
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

export const isMerchantLabel = (text: string): boolean => LABEL.test(text) && !RESERVED_LABELS.has(text)

/** Why a new merchant cannot have this label, in words that go on where it is named; undefined: it can. */
export const labelProblem = (text: string): string | undefined => {
  if (RESERVED_LABELS.has(text)) return 'is a host of our own: choose another one.'
  // A browser would show the letters behind it: a label that looks like another shop's.
  if (text.startsWith('xn--')) return 'is written in punycode: use letters from a to z.'
  return LABEL.test(text)
    ? undefined
    : 'cannot be part of a host name: use a to z, 0 to 9 and hyphens, at most 63, with a letter or a digit at both ends.'
}

/** On the host of a merchant, with a token behind it: where an address confirms that it wants mails. */
export const CONFIRMATION_PATH = '/mail-address/'

/** On the host of a merchant, with an id behind it: a reusable link. No id of a checkout is so short. */
export const LINK_PATH = '/links/'

export const linkAddress = (origin: string, linkId: string): string => origin + LINK_PATH + linkId
