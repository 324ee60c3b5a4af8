/** Adapters: one for each kind of acquirer, as the configuration has them. */
import type { AcquirerKind } from '#payment/acquirer-limits.ts'
import type { Clock } from '#payment/ports.ts'
import type { AcquirerAdapters, AcquirerAdapter } from './accounts.ts'
import type { StripeCredentials } from './credentials.ts'
import { gatewayNotConfigured } from './not-configured.ts'
import { checkStripeAccount } from './stripe/check.ts'
import { createStripeGateway } from './stripe/gateway.ts'

export interface AdapterDependencies {
  readonly gatewayTimeoutMs: number
  readonly clock: Pick<Clock, 'now'>
}

const stripe = ({ gatewayTimeoutMs, clock }: AdapterDependencies): AcquirerAdapter<StripeCredentials> => ({
  open: ({ apiBase, credentials: { secretKey } }) =>
    createStripeGateway({ apiBase, secretKey }, gatewayTimeoutMs, { clock }),
  checkAccount: ({ apiBase, mode, credentials: { secretKey } }) =>
    checkStripeAccount({ apiBase, secretKey }, mode, { clock }),
})

/** A kind whose adapter this release does not have: nothing can be charged there, and no check passes. */
const missing = (kind: AcquirerKind) => ({
  open: () => gatewayNotConfigured,
  checkAccount: async () => [
    { problem: `this release has no adapter for ${kind}`, mend: 'use a release that names it in CHANGELOG.md.' },
  ],
})

export const createAcquirerAdapters = (deps: AdapterDependencies): AcquirerAdapters => ({
  stripe: stripe(deps),
  adyen: missing('adyen'),
})
