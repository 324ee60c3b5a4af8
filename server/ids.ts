/** Ids: 160 bits in base32, random, hashed, or of a checkout that a reusable link opens. */
import { createHash, randomFillSync } from 'node:crypto'
import { MINUTE_MS, type Instant } from '#contract/jst.ts'
import type { CheckoutRef } from '#payment/references.ts'

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567'
export const ID_LENGTH = 32
const ID = /^[a-z2-7]{32}$/

/** Whether a text can be an id of ours. What cannot is not looked up: PostgreSQL takes a zero byte in a text for a fault. */
export const isId = (text: string): boolean => ID.test(text)

/** 32 characters of 5 bits each, every character from its own byte: 256 is a multiple of 32, so none is favoured. */
export const idOf = (bytes: Buffer): string => {
  let id = ''
  for (const byte of bytes) id += BASE32[byte % BASE32.length]
  return id
}

/** Random bytes of the next ids. The system is asked for those of many at once: for each by itself it takes ten times as long. */
const pool = Buffer.alloc(128 * ID_LENGTH)
let taken = pool.length

export const randomId = (): string => {
  if (taken === pool.length) {
    randomFillSync(pool)
    taken = 0
  }
  const bytes = pool.subarray(taken, taken + ID_LENGTH)
  taken += ID_LENGTH
  const id = idOf(bytes)
  // What is read out of this memory later opens nothing.
  bytes.fill(0)
  return id
}

/** The same id for the same facts, from which none of them can be read back. */
export const hashedId = (...facts: readonly string[]): string =>
  idOf(createHash('sha256').update(JSON.stringify(facts)).digest())

/** How many characters of an order code tell its checkout: 60 bits. The other 100 are random. */
const ORDER_PREFIX_LENGTH = 12

/** What the order codes of a checkout begin with. Nobody reads the checkout from it. */
export const orderPrefix = ({ merchantId, checkoutId }: CheckoutRef): string =>
  hashedId('order', merchantId, checkoutId).slice(0, ORDER_PREFIX_LENGTH)

/**
 * An order code that tells whoever knows the checkout that it is one of its orders: after a restore the acquirer may have
 * charged an order that the backup does not hold, and what it belongs to must be known.
 */
export const orderCodeOf = (ref: CheckoutRef, random: string): string =>
  orderPrefix(ref) + random.slice(ORDER_PREFIX_LENGTH)

/** Whose attempt a ticket of the 3-D Secure bridge names. */
export interface TicketRef {
  readonly merchantId: string
  readonly ticket: string
}

const MERCHANT_ID = /^[a-z0-9-]{1,32}$/

/**
 * A ticket names its attempt in the bridge's URLs: the id of the merchant, which opens nothing and only says where to look, and
 * 160 random bits, which are the capability.
 */
export const ticketOf = (merchantId: string, random: string): string => merchantId + random

/** Null: it cannot be a ticket of ours, and is not looked up. */
export const parseTicket = (ticket: string): TicketRef | null => {
  if (ticket.length > 2 * ID_LENGTH) return null
  const merchantId = ticket.slice(0, -ID_LENGTH)
  return isId(ticket.slice(-ID_LENGTH)) && MERCHANT_ID.test(merchantId) ? { merchantId, ticket } : null
}

export const prefixOfOrder = (orderCode: string): string => orderCode.slice(0, ORDER_PREFIX_LENGTH)

/** An id of a checkout of a link: where its link, its amount and its form stand. A form: the minute, and 60 random bits. */
const LINK_PREFIX_LENGTH = 9
const YEN_LENGTH = 5
const MINUTE_LENGTH = 6
const FORM_LENGTH = ID_LENGTH - LINK_PREFIX_LENGTH - YEN_LENGTH
const FORM = /^[a-z2-7]{18}$/

const digitsOf = (value: number, length: number): string =>
  Array.from(
    { length },
    (_none, at) => BASE32[Math.floor(value / BASE32.length ** (length - 1 - at)) % BASE32.length],
  ).join('')

const numberOf = (digits: string): number =>
  Array.from(digits, (digit) => BASE32.indexOf(digit)).reduce((value, digit) => value * BASE32.length + digit, 0)

/** The id of a form that is drawn now: sent twice, it opens one checkout. */
export const newForm = (now: Instant, random: string): string =>
  digitsOf(Math.floor(now / MINUTE_MS), MINUTE_LENGTH) + random.slice(0, FORM_LENGTH - MINUTE_LENGTH)

export const isForm = (text: string): boolean => FORM.test(text)

/** What the id of a checkout of a link says: all that its link does not. Whoever may open the link may make such an id. */
export interface OpenedId {
  readonly linkPrefix: string
  readonly yen: number
  /** When the form was drawn, in whole minutes. */
  readonly openedAt: Instant
}

export const openedIdOf = (linkId: string, yen: number, form: string): string =>
  linkId.slice(0, LINK_PREFIX_LENGTH) + digitsOf(yen, YEN_LENGTH) + form

/** Of any other id it reads numbers that mean nothing. */
export const readOpenedId = (id: string): OpenedId => {
  const yenEnd = LINK_PREFIX_LENGTH + YEN_LENGTH
  return {
    linkPrefix: id.slice(0, LINK_PREFIX_LENGTH),
    yen: numberOf(id.slice(LINK_PREFIX_LENGTH, yenEnd)),
    openedAt: numberOf(id.slice(yenEnd, yenEnd + MINUTE_LENGTH)) * MINUTE_MS,
  }
}
