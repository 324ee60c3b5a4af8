/** Adyen, client: one call of the Checkout API. */
import type { Clock } from '#payment/ports.ts'
import { sendToAcquirer, type AcquirerReply } from '../acquirer-http.ts'
import type { AdyenAccount } from './account.ts'

/** Of the Checkout API. Another version may have other fields. */
const API_VERSION = 'v72'

export interface AdyenCall {
  readonly path: string
  readonly body: object
  /** The idempotency key. */
  readonly key?: string | undefined
}

export const sendToAdyen = (
  { apiBase, apiKey }: Pick<AdyenAccount, 'apiBase' | 'apiKey'>,
  { path, body, key }: AdyenCall,
  { signal, clock }: { readonly signal: AbortSignal; readonly clock: Pick<Clock, 'now'> },
): Promise<AcquirerReply> =>
  sendToAcquirer(
    {
      method: 'POST',
      url: `${apiBase}/${API_VERSION}${path}`,
      headers: {
        'content-type': 'application/json',
        'x-api-key': apiKey,
        ...(key === undefined ? {} : { 'idempotency-key': key }),
      },
      body: JSON.stringify(body),
    },
    signal,
    clock,
  )
