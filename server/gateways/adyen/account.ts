/** Adyen, account: its credentials, and the addresses that follow from them. */
import type { MerchantMode } from '#contract/access.ts'

/** As they are read from what an operator gives. */
export interface AdyenCredentials {
  readonly apiKey: string
  readonly merchantAccount: string
  /** Hexadecimal. */
  readonly hmacKey: string
  readonly reportApiKey?: string
  readonly liveUrlPrefix?: string
}

/** An account at Adyen, with everything that a call needs. */
export interface AdyenAccount {
  readonly mode: MerchantMode
  readonly apiKey: string
  readonly merchantAccount: string
  readonly hmacKey: string
  /** Null: no settlement report can be read. */
  readonly reportApiKey: string | null
  /** Without the version. */
  readonly apiBase: string
  /** The only origin from which settlement reports are fetched. */
  readonly reportOrigin: string
}

type Addresses = Pick<AdyenAccount, 'apiBase' | 'reportOrigin'>

const TEST: Addresses = { apiBase: 'https://checkout-test.adyen.com', reportOrigin: 'https://ca-test.adyen.com' }
const liveAt = (prefix: string): Addresses => ({
  apiBase: `https://${prefix}-checkout-live.adyenpayments.com/checkout`,
  reportOrigin: 'https://ca-live.adyen.com',
})

/** `apiBase`, without a version, takes the place of Adyen's own address: for a double, from whose origin its reports come too. */
export interface AccountPlace {
  readonly mode: MerchantMode
  readonly apiBase: string | null
}

/** Null: a live account without its prefix, which has no address. */
export const adyenAccountOf = (
  { apiKey, merchantAccount, hmacKey, reportApiKey, liveUrlPrefix }: AdyenCredentials,
  { mode, apiBase }: AccountPlace,
): AdyenAccount | null => {
  const account = { mode, apiKey, merchantAccount, hmacKey, reportApiKey: reportApiKey ?? null }
  if (apiBase !== null)
    return { ...account, apiBase: apiBase.replace(/\/$/, ''), reportOrigin: new URL(apiBase).origin }
  if (mode === 'test') return { ...account, ...TEST }
  return liveUrlPrefix === undefined ? null : { ...account, ...liveAt(liveUrlPrefix) }
}
