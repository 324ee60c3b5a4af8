/** Declared errors: each call of the contract with the error codes that it may answer with. */
import assert from 'node:assert/strict'
import type { LightMyRequestResponse } from 'fastify'
import type { KeyAccess } from '#contract/access.ts'
import { MERCHANT_API } from '#contract/merchant/api.ts'
import * as shopperCalls from '#contract/shopper-calls.ts'
import { MERCHANT_BASE, SHOPPER_BASE, type CallPath } from '#contract/paths.ts'
import { CONSOLE_API } from '#contract/console/api.ts'
import { sessionErrors } from '#contract/console/calls.ts'
import { CONSOLE_BASE } from '#contract/console/paths.ts'
import type { ErrorCode } from '#contract/error-table.ts'

interface DeclaredCall {
  readonly method: CallPath['method']
  /** As in logs and metrics: with its base path, and its parameters by name. */
  readonly route: string
  readonly errors: readonly ErrorCode[]
  /** What it may answer beside, with the session of a person in place of a key. */
  readonly withSession: readonly ErrorCode[]
}

const callBelow =
  (base: string) =>
  ({ method, path, errors }: CallPath & Pick<DeclaredCall, 'errors'>): DeclaredCall => ({
    method,
    route: base + path,
    errors,
    withSession: [],
  })

const shopperCall = callBelow(SHOPPER_BASE)
const merchantCall = (
  call: CallPath & Pick<DeclaredCall, 'errors'> & { readonly access: KeyAccess },
): DeclaredCall => ({
  ...callBelow(MERCHANT_BASE)(call),
  withSession: sessionErrors(call),
})

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
  readMe: merchantCall(MERCHANT_API.readMe),
  createCheckout: merchantCall(MERCHANT_API.createCheckout),
  readMerchantCheckout: merchantCall(MERCHANT_API.readMerchantCheckout),
  refundCheckout: merchantCall(MERCHANT_API.refundCheckout),
  listCheckouts: merchantCall(MERCHANT_API.listCheckouts),
  readTimeline: merchantCall(MERCHANT_API.readTimeline),
  cancelMerchantCheckout: merchantCall(MERCHANT_API.cancelMerchantCheckout),
  sendReceipt: merchantCall(MERCHANT_API.sendReceipt),
  listCheckoutRefunds: merchantCall(MERCHANT_API.listCheckoutRefunds),
  readRefund: merchantCall(MERCHANT_API.readRefund),
  listRefunds: merchantCall(MERCHANT_API.listRefunds),
  drawQrCode: merchantCall(MERCHANT_API.drawQrCode),
  createReusableLink: merchantCall(MERCHANT_API.createReusableLink),
  readReusableLink: merchantCall(MERCHANT_API.readReusableLink),
  listReusableLinks: merchantCall(MERCHANT_API.listReusableLinks),
  changeReusableLink: merchantCall(MERCHANT_API.changeReusableLink),
  drawLinkQrCode: merchantCall(MERCHANT_API.drawLinkQrCode),
  readSummary: merchantCall(MERCHANT_API.readSummary),
  exportMovements: merchantCall(MERCHANT_API.exportMovements),
  exportCheckouts: merchantCall(MERCHANT_API.exportCheckouts),
  listReconciliations: merchantCall(MERCHANT_API.listReconciliations),
  readReconciliation: merchantCall(MERCHANT_API.readReconciliation),
  readAttention: merchantCall(MERCHANT_API.readAttention),
  readFigures: merchantCall(MERCHANT_API.readFigures),
  exportFigures: merchantCall(MERCHANT_API.exportFigures),
  readSettings: merchantCall(MERCHANT_API.readSettings),
  changeSettings: merchantCall(MERCHANT_API.changeSettings),
  replacePicture: merchantCall(MERCHANT_API.replacePicture),
  removePicture: merchantCall(MERCHANT_API.removePicture),
} as const
export type CallName = keyof typeof CALLS

const urlPattern = (route: string): RegExp => new RegExp(`^${route.replaceAll(/:[A-Za-z]+/g, '[^/?]+')}(\\?|$)`)

const CALLS_BY_URL = [...Object.values(CALLS), ...Object.values(CONSOLE_API).map(callBelow(CONSOLE_BASE))].map(
  (call) => ({ ...call, pattern: urlPattern(call.route) }),
)

export interface ErrorAnswer {
  readonly status: number
  readonly code: string
  /** With a session the merchant API also refuses as the console does. */
  readonly isByPerson?: boolean
}

/** The call that answers with an error code which the contract does not declare for it, in words. Other URLs are ignored. */
export const undeclaredError = (
  method: string,
  url: string,
  { status, code, isByPerson = false }: ErrorAnswer,
): string | undefined => {
  const call = CALLS_BY_URL.find((each) => each.method === method && each.pattern.test(url))
  if (call === undefined || status < 400) return undefined
  const declared = [...call.errors, ...(isByPerson ? call.withSession : [])]
  if (declared.some((each) => each === code)) return undefined
  return `${method} ${call.route} answers with ${code}, which the contract does not name for it`
}

/** Fails when a call answers with an error code that the contract does not declare for it. */
export const assertErrorIsDeclared = (method: string, url: string, answer: LightMyRequestResponse): void => {
  if (answer.statusCode < 400) return
  const { code } = answer.json<{ code: string }>()
  assert.equal(undeclaredError(method, url, { status: answer.statusCode, code }), undefined)
}
