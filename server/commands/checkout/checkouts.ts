/** Checkout commands over the merchant API: create, show, list, cancel and refund. */
import type { Static, TSchema } from 'typebox'
import { CARD_BRANDS } from '#contract/brands.ts'
import { CHECKOUT_STATUSES } from '#contract/checkout.ts'
import { createCheckout, readMerchantCheckout, cancelMerchantCheckout } from '#contract/merchant/checkouts.ts'
import { listCheckouts } from '#contract/merchant/checkout-lists.ts'
import type { MerchantCheckoutAnswer } from '#contract/merchant/checkout-answer.ts'
import { refundCheckout, type RefundAnswer } from '#contract/merchant/refunds.ts'
import { PAGE_LOCALES } from '#contract/locale.ts'
import type { MerchantCall } from '#contract/calls.ts'
import { readMerchantApi } from '../../config/merchant-api.ts'
import type { Environment } from '../../config/readers.ts'
import { randomId } from '../../ids.ts'
import { isProblem, PROGRAM, type Command, type CommandAnswer, type CommandProblem, type Given } from '../command.ts'
import { factLines, tableLines } from '../table.ts'
import { mayBeDone, problemLine } from './api-problem.ts'
import { callMerchantApi } from './call-merchant-api.ts'
import { checkoutFacts, LIST_COLUMNS, listRow, refundFacts } from './facts.ts'
import { readAmount, readBrands, readCheckoutId, readLocale, readMetadata, readTaxes } from './option-values.ts'

type Sent = Parameters<typeof callMerchantApi>[2]

/** The answer of a call, or one line; `ifLost` follows where the call may have been carried out all the same. */
export const answerOf = async <Path extends TSchema, Body extends TSchema, Answer extends TSchema>(
  env: Environment,
  call: MerchantCall<Path, Body, Answer>,
  sent: Sent,
  ifLost = 'It changes nothing: run it again.',
): Promise<{ readonly answer: Static<Answer>; readonly etag: string | null } | CommandProblem> => {
  const api = readMerchantApi(env)
  if ('problem' in api) return api
  const result = await callMerchantApi(api, call, sent)
  if (result.ok) return { answer: result.answer, etag: result.etag }
  const line = problemLine(result.problem, api.url)
  return { problem: mayBeDone(result.problem) ? `${line} ${ifLost}` : line }
}

/** The answer of a call as the answer of a command: `linesOf` writes it for people, `endsWithOne` says when it ends with 1. */
export const answered = async <Path extends TSchema, Body extends TSchema, Answer extends TSchema>(
  env: Environment,
  call: MerchantCall<Path, Body, Answer>,
  sent: Sent,
  linesOf: (answer: Static<Answer>) => readonly string[],
  ifLost?: string,
  endsWithOne: (answer: Static<Answer>) => boolean = () => false,
): Promise<CommandAnswer | CommandProblem> => {
  const result = await answerOf(env, call, sent, ifLost)
  if (isProblem(result)) return result
  const { answer } = result
  return { value: answer, lines: linesOf(answer), exitCode: endsWithOne(answer) ? 1 : 0 }
}

/** What was given of these options under the names that the API has for them: `last-four` is `lastFour`, unless it is renamed. */
export const named = (
  given: Given,
  options: readonly string[],
  renamed: Readonly<Record<string, string>> = {},
): Record<string, string> =>
  Object.fromEntries(
    options.flatMap((option) => {
      const text = given.textOrNull(option)
      const field = option.replaceAll(/-[a-z]/g, (letter) => letter.slice(1).toUpperCase())
      return text === null ? [] : [[renamed[option] ?? field, text]]
    }),
  )

/** How a list goes on; nothing where it ends here. */
export const moreLine = (after: string | null): string[] =>
  after === null ? [] : [`There is more: the same with --after ${after}`]

/** The first problem, or all parts in one object. */
const joined = (parts: readonly (object | CommandProblem)[]): object | CommandProblem => {
  const all: object = {}
  for (const part of parts) Object.assign(all, part)
  return parts.find(isProblem) ?? all
}

const option = (given: Given, name: string, read: (text: string) => object): object => {
  const text = given.textOrNull(name)
  return text === null ? {} : read(text)
}

const TAXES = { value: '<rate:yen,…>', help: 'the amount by tax rate, tax included, such as 8:980,10:1000' } as const

export const checkoutCreate: Command = {
  summary: 'opens a checkout and prints the link to send to the shopper',
  options: {
    amount: { value: '<yen>', help: 'whole yen', isRequired: true },
    subject: { value: '<text>', help: 'what it is for, as the shopper reads it' },
    reference: { value: '<text>', help: 'your own number for it, such as that of an order' },
    remarks: { value: '<text>', help: 'more words for the shopper' },
    'valid-until': { value: '<time>', help: '2027-03-31 is the end of that day in Japan; left out, 7 days' },
    locale: {
      value: '<language>',
      help: `of the page: ${PAGE_LOCALES.join(', ')}; left out, that of the settings`,
    },
    'cancel-url': { value: '<address>', help: 'where Cancel leads; {CHECKOUT_ID} is filled in' },
    'redirect-url': { value: '<address>', help: 'where the page leads after the payment' },
    brands: { value: '<brand,…>', help: 'cards that are taken, such as visa,jcb; left out, those of the settings' },
    taxes: TAXES,
    metadata: { value: '<name=value>', help: 'yours alone; may be repeated', isRepeatable: true },
    'idempotency-key': { value: '<text>', help: 'the same key opens one checkout in 24 hours; left out, a random one' },
  },
  example: 'checkout create --amount 1980 --subject "Order 42" --reference 42 --metadata cart=7',
  run: async (given, env) => {
    const metadata = given.texts('metadata')
    const links = named(given, ['cancel-url', 'redirect-url'])
    const body = joined([
      readAmount(given.text('amount')),
      named(given, ['subject', 'reference', 'remarks', 'valid-until']),
      Object.keys(links).length === 0 ? {} : { links },
      option(given, 'locale', readLocale),
      option(given, 'brands', readBrands),
      option(given, 'taxes', readTaxes),
      metadata.length === 0 ? {} : readMetadata(metadata),
    ])
    if (isProblem(body)) return body
    const ownKey = given.textOrNull('idempotency-key')
    const key = ownKey ?? randomId()
    const again = ownKey === null ? `with --idempotency-key ${key} ` : ''
    const lost = `The checkout may be open: run the same again ${again}within 24 hours, and it opens one.`
    const sent = { body, headers: { 'idempotency-key': key } }
    return answered(env, createCheckout, sent, (checkout) => factLines(checkoutFacts(checkout)), lost)
  },
}

export const checkoutShow: Command = {
  summary: 'shows one checkout',
  places: ['checkout'],
  example: 'checkout show lg5hy5gqkz3x7tjx2jn3mcw4ap6tdoeb',
  run: async (given, env) => {
    const path = readCheckoutId(given.text('checkout'))
    if (isProblem(path)) return path
    return answered(env, readMerchantCheckout, { path }, (checkout) => factLines(checkoutFacts(checkout)))
  },
}

/** Each is a filter of the API. */
const LIST_OPTIONS = {
  status: { value: CHECKOUT_STATUSES.join('|'), help: 'those that stand so' },
  search: { value: '<text>', help: 'by an amount, last four digits, an address, an id, a link or your number' },
  reference: { value: '<text>', help: 'those with this number of yours' },
  email: { value: '<address>', help: 'those whose receipt goes there' },
  'last-four': { value: '<digits>', help: 'those paid with a card that ends so' },
  'amount-from': { value: '<yen>', help: 'of this amount or more' },
  'amount-to': { value: '<yen>', help: 'of this amount or less' },
  'card-brand': { value: CARD_BRANDS.join('|'), help: 'those paid with a card of this brand' },
  from: { value: '<time>', help: 'created at this time or later: 2026-11-30 is a day in Japan' },
  to: { value: '<time>', help: 'created at this time or earlier' },
  'paid-from': { value: '<time>', help: 'paid at this time or later' },
  'paid-to': { value: '<time>', help: 'paid at this time or earlier' },
  'transaction-id': { value: '<text>', help: 'the one with this id of the payment at the acquirer' },
  pending: { value: 'true|false', help: 'whether a charge is under way or in doubt' },
  limit: { value: '<number>', help: 'how many at most: 1 to 100, left out 20' },
  after: { value: '<cursor>', help: 'the next page: what the page before has printed' },
} as const

export const checkoutList: Command = {
  summary: 'lists checkouts, the newest first',
  options: LIST_OPTIONS,
  example: 'checkout list --status paid --from 2026-11-01 --limit 50',
  run: async (given, env) => {
    const query = named(given, Object.keys(LIST_OPTIONS), { from: 'createdFrom', to: 'createdTo' })
    return answered(env, listCheckouts, { query }, ({ items, after }) => {
      if (items.length === 0 && after === null) return [`No such checkout: ${PROGRAM} checkout create opens one.`]
      const table = tableLines(LIST_COLUMNS, items.map(listRow), { shorten: LIST_COLUMNS.slice(-2) })
      return [...table, ...moreLine(after)]
    })
  },
}

export const checkoutCancel: Command = {
  summary: 'closes an open checkout, so that it cannot be paid any more',
  places: ['checkout'],
  example: 'checkout cancel lg5hy5gqkz3x7tjx2jn3mcw4ap6tdoeb',
  endsWithOne: 'it is not, for it is paid or closed',
  run: async (given, env) => {
    const path = readCheckoutId(given.text('checkout'))
    if (isProblem(path)) return path
    const linesOf = ({ id, status }: MerchantCheckoutAnswer) => [
      status === 'cancelled'
        ? `${id} is cancelled and cannot be paid.`
        : `${id} is ${status} and stays so: ${PROGRAM} checkout show ${id} tells more.`,
    ]
    const lost = 'It may be cancelled: run it again.'
    return answered(env, cancelMerchantCheckout, { path }, linesOf, lost, ({ status }) => status !== 'cancelled')
  },
}

export const checkoutRefund: Command = {
  summary: 'gives back what was paid, wholly or in part',
  places: ['checkout'],
  options: {
    'refund-id': { value: '<text>', help: 'your own name for it: the same one gives back once', isRequired: true },
    amount: { value: '<yen>', help: 'left out: all that is left' },
    taxes: { ...TAXES, help: 'the refund by tax rate, where the checkout has taxes' },
  },
  example: 'checkout refund lg5hy5gqkz3x7tjx2jn3mcw4ap6tdoeb --refund-id return-7 --amount 500',
  endsWithOne: 'the acquirer has refused it',
  run: async (given, env) => {
    const path = readCheckoutId(given.text('checkout'))
    const body = joined([
      named(given, ['refund-id']),
      option(given, 'amount', readAmount),
      option(given, 'taxes', readTaxes),
    ])
    if (isProblem(path)) return path
    if (isProblem(body)) return body
    const lost = 'The money may be on its way: run the same again, and under this refund id it is given back once.'
    const pending = 'The acquirer has not said yet what became of it: run the same again to read it.'
    const linesOf = (refund: RefundAnswer) => [
      ...factLines(refundFacts(refund)),
      ...(refund.status === 'pending' ? [pending] : []),
    ]
    return answered(env, refundCheckout, { path, body }, linesOf, lost, ({ status }) => status === 'refused')
  },
}
