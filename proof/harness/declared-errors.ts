/** Declared errors: each call of the contract with the error codes that it may answer with. */
import assert from 'node:assert/strict'
import type { LightMyRequestResponse } from 'fastify'
import * as merchantCalls from '#contract/merchant-calls.ts'
import * as listCalls from '#contract/merchant-list-calls.ts'
import * as settingsCalls from '#contract/merchant-settings-calls.ts'
import * as shopperCalls from '#contract/shopper-calls.ts'
import { MERCHANT_BASE, SHOPPER_BASE, type CallPath } from '#contract/paths.ts'
import type { ErrorCode } from '#contract/errors.ts'

interface DeclaredCall {
  readonly method: CallPath['method']
  /** As in logs and metrics: with its base path, and its parameters by name. */
  readonly route: string
  readonly errors: readonly ErrorCode[]
}

const declaredCall = (
  base: string,
  { method, path, errors }: Omit<DeclaredCall, 'route'> & { readonly path: string },
): DeclaredCall => ({
  method,
  route: base + path,
  errors,
})

const shopperCall = (call: Parameters<typeof declaredCall>[1]): DeclaredCall => declaredCall(SHOPPER_BASE, call)
const merchantCall = (call: Parameters<typeof declaredCall>[1]): DeclaredCall => declaredCall(MERCHANT_BASE, call)

export const CALLS = {
  readCheckout: shopperCall(shopperCalls.readCheckout),
  cancelCheckout: shopperCall(shopperCalls.cancelCheckout),
  listBinCodes: shopperCall(shopperCalls.listBinCodes),
  startPayment: shopperCall(shopperCalls.startPayment),
  authenticate: shopperCall(shopperCalls.authenticate),
  reportCollectError: shopperCall(shopperCalls.reportCollectError),
  reportChallengeError: shopperCall(shopperCalls.reportChallengeError),
  monitorChallenge: shopperCall(shopperCalls.monitorChallenge),
  pay: shopperCall(shopperCalls.pay),
  readMe: merchantCall(merchantCalls.readMe),
  createCheckout: merchantCall(merchantCalls.createCheckout),
  readMerchantCheckout: merchantCall(merchantCalls.readMerchantCheckout),
  refundCheckout: merchantCall(merchantCalls.refundCheckout),
  listCheckouts: merchantCall(listCalls.listCheckouts),
  readTimeline: merchantCall(listCalls.readTimeline),
  cancelMerchantCheckout: merchantCall(listCalls.cancelMerchantCheckout),
  sendReceipt: merchantCall(listCalls.sendReceipt),
  listCheckoutRefunds: merchantCall(listCalls.listCheckoutRefunds),
  readRefund: merchantCall(listCalls.readRefund),
  listRefunds: merchantCall(listCalls.listRefunds),
  drawQrCode: merchantCall(listCalls.drawQrCode),
  readSummary: merchantCall(listCalls.readSummary),
  exportMovements: merchantCall(listCalls.exportMovements),
  readSettings: merchantCall(settingsCalls.readSettings),
  changeSettings: merchantCall(settingsCalls.changeSettings),
  replacePicture: merchantCall(settingsCalls.replacePicture),
  removePicture: merchantCall(settingsCalls.removePicture),
} as const
export type CallName = keyof typeof CALLS

const urlPattern = (route: string): RegExp => new RegExp(`^${route.replaceAll(/:[A-Za-z]+/g, '[^/?]+')}(\\?|$)`)

const CALLS_BY_URL = Object.values(CALLS).map((call) => ({ ...call, pattern: urlPattern(call.route) }))

/** The call that answers with an error code which the contract does not declare for it, in words. Other URLs are ignored. */
export const undeclaredError = (method: string, url: string, status: number, code: string): string | undefined => {
  const call = CALLS_BY_URL.find((each) => each.method === method && each.pattern.test(url))
  if (call === undefined || status < 400 || call.errors.some((declared) => declared === code)) return undefined
  return `${method} ${call.route} answers with ${code}, which the contract does not name for it`
}

/** Fails when a call answers with an error code that the contract does not declare for it. */
export const assertErrorIsDeclared = (method: string, url: string, answer: LightMyRequestResponse): void => {
  if (answer.statusCode < 400) return
  const { code } = answer.json<{ code: string }>()
  assert.equal(undeclaredError(method, url, answer.statusCode, code), undefined)
}
