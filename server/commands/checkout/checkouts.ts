/** Checkout commands over the merchant API: create, show, list, cancel and refund. */
import type { Static, TSchema } from 'typebox'
import { CHECKOUT_STATUSES } from '#contract/checkout.ts'
import {
  createCheckout,
  readMerchantCheckout,
  cancelMerchantCheckout,
  listCheckouts,
} from '#contract/merchant/checkouts.ts'
import { refundCheckout } from '#contract/merchant/refunds.ts'
import { PAGE_LOCALES } from '#contract/locale.ts'
import type { MerchantCall } from '#contract/calls.ts'
import { readMerchantApi } from '../../config/merchant-api.ts'
import type { Environment } from '../../config/readers.ts'
import { randomId } from '../../ids.ts'
import { isProblem, PROGRAM, type Command, type CommandProblem, type Given } from '../command.ts'
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

/** What was given of these options under the names that the API has for them. */
export const named = (given: Given, names: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(names).flatMap(([option, field]) => {
      const text = given.textOrNull(option)
      return text === null ? [] : [[field, text]]
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
  places: [],
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
    const links = named(given, { 'cancel-url': 'cancelUrl', 'redirect-url': 'redirectUrl' })
    const body = joined([
      readAmount(given.text('amount')),
      named(given, { subject: 'subject', reference: 'reference', remarks: 'remarks', 'valid-until': 'validUntil' }),
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
    const created = await answerOf(env, createCheckout, { body, headers: { 'idempotency-key': key } }, lost)
    if (isProblem(created)) return created
    return { value: created.answer, lines: factLines(checkoutFacts(created.answer)) }
  },
}

export const checkoutShow: Command = {
  summary: 'shows one checkout',
  places: ['checkout'],
  options: {},
  example: 'checkout show lg5hy5gqkz3x7tjx2jn3mcw4ap6tdoeb',
  run: async (given, env) => {
    const path = readCheckoutId(given.text('checkout'))
    if (isProblem(path)) return path
    const read = await answerOf(env, readMerchantCheckout, { path })
    if (isProblem(read)) return read
    return { value: read.answer, lines: factLines(checkoutFacts(read.answer)) }
  },
}

export const checkoutList: Command = {
  summary: 'lists checkouts, the newest first',
  places: [],
  options: {
    status: { value: CHECKOUT_STATUSES.join('|'), help: 'those that stand so' },
    reference: { value: '<text>', help: 'those with this number of yours' },
    email: { value: '<address>', help: 'those whose receipt goes there' },
    'last-four': { value: '<digits>', help: 'those paid with a card that ends so' },
    from: { value: '<time>', help: 'created at this time or later: 2026-11-30 is a day in Japan' },
    to: { value: '<time>', help: 'created at this time or earlier' },
    'paid-from': { value: '<time>', help: 'paid at this time or later' },
    'paid-to': { value: '<time>', help: 'paid at this time or earlier' },
    'transaction-id': { value: '<text>', help: 'the one with this id of the payment at the acquirer' },
    pending: { value: 'true|false', help: 'whether a charge is under way or in doubt' },
    limit: { value: '<number>', help: 'how many at most: 1 to 100, left out 20' },
    after: { value: '<cursor>', help: 'the next page: what the page before has printed' },
  },
  example: 'checkout list --status paid --from 2026-11-01 --limit 50',
  run: async (given, env) => {
    const query = named(given, {
      status: 'status',
      reference: 'reference',
      email: 'email',
      'last-four': 'lastFour',
      from: 'createdFrom',
      to: 'createdTo',
      'paid-from': 'paidFrom',
      'paid-to': 'paidTo',
      'transaction-id': 'transactionId',
      pending: 'pending',
      limit: 'limit',
      after: 'after',
    })
    const listed = await answerOf(env, listCheckouts, { query })
    if (isProblem(listed)) return listed
    const { items, after } = listed.answer
    const table = tableLines(LIST_COLUMNS, items.map(listRow), { shorten: LIST_COLUMNS.slice(-2) })
    const none = `No such checkout: ${PROGRAM} checkout create opens one.`
    return {
      value: listed.answer,
      lines: [...(items.length === 0 && after === null ? [none] : table), ...moreLine(after)],
    }
  },
}

export const checkoutCancel: Command = {
  summary: 'closes an open checkout, so that it cannot be paid any more',
  places: ['checkout'],
  options: {},
  example: 'checkout cancel lg5hy5gqkz3x7tjx2jn3mcw4ap6tdoeb',
  endsWithOne: 'it is not, for it is paid or closed',
  run: async (given, env) => {
    const path = readCheckoutId(given.text('checkout'))
    if (isProblem(path)) return path
    const cancelled = await answerOf(env, cancelMerchantCheckout, { path }, 'It may be cancelled: run it again.')
    if (isProblem(cancelled)) return cancelled
    const { id, status } = cancelled.answer
    return status === 'cancelled'
      ? { value: cancelled.answer, lines: [`${id} is cancelled and cannot be paid.`] }
      : {
          value: cancelled.answer,
          lines: [`${id} is ${status} and stays so: ${PROGRAM} checkout show ${id} tells more.`],
          exitCode: 1,
        }
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
      named(given, { 'refund-id': 'refundId' }),
      option(given, 'amount', readAmount),
      option(given, 'taxes', readTaxes),
    ])
    if (isProblem(path)) return path
    if (isProblem(body)) return body
    const lost = 'The money may be on its way: run the same again, and under this refund id it is given back once.'
    const refunded = await answerOf(env, refundCheckout, { path, body }, lost)
    if (isProblem(refunded)) return refunded
    const { status } = refunded.answer
    const pending = 'The acquirer has not said yet what became of it: run the same again to read it.'
    return {
      value: refunded.answer,
      lines: [...factLines(refundFacts(refunded.answer)), ...(status === 'pending' ? [pending] : [])],
      exitCode: status === 'refused' ? 1 : 0,
    }
  },
}
