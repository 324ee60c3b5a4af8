/** Stripe over HTTP: one request with the account's key and the pinned version. It repeats nothing by itself. */
import type { Clock } from '#payment/ports.ts'
import { sendToAcquirer, type AcquirerReply } from '../acquirer-http.ts'
import { encodeForm, type FormFields } from './form.ts'
import { STRIPE_VERSION } from './wire.ts'

const STRIPE_API_BASE = 'https://api.stripe.com'

export interface StripeAccount {
  /** What stands before /v1, without a slash at its end; null: Stripe's own address. */
  readonly apiBase: string | null
  readonly secretKey: string
}

export interface StripeClient {
  get(path: string, query: FormFields, signal: AbortSignal): Promise<AcquirerReply>
  /** A key makes Stripe answer a second request with the first one's answer, for 24 hours. */
  post(path: string, fields: FormFields, signal: AbortSignal, idempotencyKey?: string): Promise<AcquirerReply>
}

export const createStripeClient = ({ apiBase, secretKey }: StripeAccount, clock: Pick<Clock, 'now'>): StripeClient => {
  const base = `${apiBase ?? STRIPE_API_BASE}/v1`
  const headers = { authorization: `Bearer ${secretKey}`, 'stripe-version': STRIPE_VERSION }
  return {
    get: (path, query, signal) => {
      const search = encodeForm(query)
      const url = `${base}${path}${search === '' ? '' : `?${search}`}`
      return sendToAcquirer({ method: 'GET', url, headers }, signal, clock)
    },
    post: (path, fields, signal, idempotencyKey) =>
      sendToAcquirer(
        {
          method: 'POST',
          url: `${base}${path}`,
          headers: {
            ...headers,
            'content-type': 'application/x-www-form-urlencoded',
            ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
          },
          body: encodeForm(fields),
        },
        signal,
        clock,
      ),
  }
}
