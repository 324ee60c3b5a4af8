/** Adapters: one for each kind of acquirer, as the configuration has them. */
import type { Clock } from '#payment/ports.ts'
import type { AcquirerAdapters, AcquirerAdapter } from './accounts.ts'
import { merchantOrigin } from '../origins.ts'
import type { Sql } from '../store/engine/database.ts'
import { hasNotifications } from '../store/merchant/acquirer-notifications.ts'
import { adyenAccountOf } from './adyen/account.ts'
import { checkAdyenAccount } from './adyen/check.ts'
import { createAdyenGateway } from './adyen/gateway.ts'
import { openAdyenInbox } from './adyen/inbox.ts'
import type { AccountProblem, AdyenCredentials, StripeCredentials } from './credentials.ts'
import { gatewayNotConfigured } from './not-configured.ts'
import { checkStripeAccount } from './stripe/check.ts'
import { createStripeGateway } from './stripe/gateway.ts'

export interface AdapterDependencies {
  readonly gatewayTimeoutMs: number
  readonly clock: Pick<Clock, 'now'>
  /** Where notifications of acquirers are stored. */
  readonly sql: Sql
  readonly publicBase: URL
}

const stripe = ({ gatewayTimeoutMs, clock }: AdapterDependencies): AcquirerAdapter<StripeCredentials> => ({
  open: ({ apiBase, credentials: { secretKey } }) =>
    createStripeGateway({ apiBase, secretKey }, gatewayTimeoutMs, { clock }),
  checkAccount: ({ apiBase, mode, credentials: { secretKey } }) =>
    checkStripeAccount({ apiBase, secretKey }, mode, { clock }),
})

const NO_PREFIX: AccountProblem = {
  problem: 'a live account needs the prefix of its live address',
  mend: 'add liveUrlPrefix to the credentials (Customer Area, Developers, API URLs).',
}

const adyen = ({
  gatewayTimeoutMs,
  clock,
  sql,
  publicBase,
}: AdapterDependencies): AcquirerAdapter<AdyenCredentials> => ({
  open: ({ merchantId, mode, label, apiBase, credentials }) => {
    const account = adyenAccountOf(credentials, { mode, apiBase })
    return account === null
      ? gatewayNotConfigured
      : createAdyenGateway({
          account,
          returnUrl: merchantOrigin(publicBase, label),
          inbox: openAdyenInbox(sql, { merchantId, mode }),
          timeoutMs: gatewayTimeoutMs,
          clock,
        })
  },
  checkAccount: async ({ merchantId, mode, label, apiBase, credentials }) => {
    const account = adyenAccountOf(credentials, { mode, apiBase })
    if (account === null) return [NO_PREFIX]
    const address = new URL(`/acquirer/adyen/${label}/${mode}`, publicBase).href
    return checkAdyenAccount(account, { address, hasArrived: await hasNotifications(sql, { merchantId, mode }) }, clock)
  },
})

export const createAcquirerAdapters = (deps: AdapterDependencies): AcquirerAdapters => ({
  stripe: stripe(deps),
  adyen: adyen(deps),
})
