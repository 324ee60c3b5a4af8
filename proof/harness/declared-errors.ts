import assert from 'node:assert/strict'
import type { LightMyRequestResponse } from 'fastify'
import * as calls from '#contract/calls.ts'
import { MERCHANT_BASE, SHOPPER_BASE } from '#contract/paths.ts'
import type { ErrorCode } from '#contract/errors.ts'

interface Served {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** As an answer is logged and counted: with its base, its parameters by name. */
  readonly route: string
  readonly errors: readonly ErrorCode[]
}

const served = (base: string, { method, path, errors }: Omit<Served, 'route'> & { readonly path: string }): Served => ({
  method,
  route: base + path,
  errors,
})

const shopper = (call: Parameters<typeof served>[1]): Served => served(SHOPPER_BASE, call)
const merchant = (call: Parameters<typeof served>[1]): Served => served(MERCHANT_BASE, call)

export const CALLS = {
  readCheckout: shopper(calls.readCheckout),
  cancelCheckout: shopper(calls.cancelCheckout),
  listBinCodes: shopper(calls.listBinCodes),
  startPayment: shopper(calls.startPayment),
  authenticate: shopper(calls.authenticate),
  reportCollectError: shopper(calls.reportCollectError),
  reportChallengeError: shopper(calls.reportChallengeError),
  monitorChallenge: shopper(calls.monitorChallenge),
  pay: shopper(calls.pay),
  createCheckout: merchant(calls.createCheckout),
  readMerchantCheckout: merchant(calls.readMerchantCheckout),
  refundCheckout: merchant(calls.refundCheckout),
} as const
export type CallName = keyof typeof CALLS

const addressOf = (route: string): RegExp => new RegExp(`^${route.replaceAll(/:[A-Za-z]+/g, '[^/?]+')}(\\?|$)`)

const ADDRESSES = Object.values(CALLS).map((call) => ({ ...call, address: addressOf(call.route) }))

/** A call that refuses says so by an error that the contract declares for it. An address without a call is nobody's. */
export const assertDeclared = (method: string, url: string, answer: LightMyRequestResponse): void => {
  const call = ADDRESSES.find((each) => each.method === method && each.address.test(url))
  if (call === undefined || answer.statusCode < 400) return
  const { code } = answer.json<{ code: string }>()
  assert.ok(
    call.errors.some((declared) => declared === code),
    `${method} ${call.route} answers with ${code}, which contract/calls.ts does not name`,
  )
}
