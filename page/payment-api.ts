/** Payment API: the calls of a payment, from start to pay or cancel. */
import { useMemo } from 'react'
import { SHOPPER_PATHS } from '#contract/paths.ts'
import type { CardPayload, PayBody } from '#contract/three-ds.ts'
import { callRequest, type Api } from './api.ts'
import { useApi } from './page-context.ts'
import { parseCheckoutAnswer, type PageCheckout } from './parse-answers.ts'
import {
  parseAuthenticateAnswer,
  parseMonitorAnswer,
  parseStartAnswer,
  type PageAuthenticateAnswer,
  type PageStartAnswer,
} from './parse-payment-answers.ts'

export interface PaymentApi {
  cancelCheckout(checkoutId: string): Promise<PageCheckout>
  startPayment(checkoutId: string, card: CardPayload): Promise<PageStartAnswer>
  authenticate(orderCode: string): Promise<PageAuthenticateAnswer>
  reportCollectError(orderCode: string): Promise<true>
  reportChallengeError(orderCode: string): Promise<true>
  /** Returns the monitor's event. The URL is absolute, as the server gave it. */
  pollMonitor(monitoringUrl: string, signal?: AbortSignal): Promise<string>
  pay(checkoutId: string, orderCode: string, body: PayBody): Promise<PageCheckout>
}

/** A poll that hangs must not delay the next one: the challenge may have ended long ago. */
const POLL_TIMEOUT_MS = 10_000

/** The answer to a report is empty. One that is no JSON came from a captive portal, which has not passed the report on. */
const parseAcknowledgement = (body: unknown): true | undefined => (body === undefined ? undefined : true)

export const createPaymentApi = ({ send }: Pick<Api, 'send'>): PaymentApi => ({
  cancelCheckout: (checkoutId) => send(callRequest(SHOPPER_PATHS.cancelCheckout, { checkoutId }), parseCheckoutAnswer),
  startPayment: (checkoutId, card) =>
    send({ ...callRequest(SHOPPER_PATHS.startPayment, { checkoutId }), body: { card } }, parseStartAnswer),
  authenticate: (orderCode) => send(callRequest(SHOPPER_PATHS.authenticate, { orderCode }), parseAuthenticateAnswer),
  reportCollectError: (orderCode) =>
    send(callRequest(SHOPPER_PATHS.reportCollectError, { orderCode }), parseAcknowledgement),
  reportChallengeError: (orderCode) =>
    send(callRequest(SHOPPER_PATHS.reportChallengeError, { orderCode }), parseAcknowledgement),
  pollMonitor: (monitoringUrl, signal) =>
    send({ method: 'GET', address: monitoringUrl, timeoutMs: POLL_TIMEOUT_MS }, parseMonitorAnswer, signal),
  pay: (checkoutId, orderCode, body) =>
    send({ ...callRequest(SHOPPER_PATHS.pay, { checkoutId, orderCode }), body }, parseCheckoutAnswer),
})

export const usePaymentApi = (): PaymentApi => {
  const api = useApi()
  return useMemo(() => createPaymentApi(api), [api])
}
