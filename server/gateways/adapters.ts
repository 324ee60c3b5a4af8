/** Adapters: one for each kind of acquirer. */
import type { AcquirerKind } from '#payment/acquirer-limits.ts'
import type { AcquirerAdapters } from './accounts.ts'
import { gatewayNotConfigured } from './not-configured.ts'

/** A kind whose adapter this release does not have: nothing can be charged there, and no check passes. */
const missing = (kind: AcquirerKind) => ({
  open: () => gatewayNotConfigured,
  checkAccount: async () => [
    { problem: `this release has no adapter for ${kind}`, mend: 'use a release that names it in CHANGELOG.md.' },
  ],
})

export const ACQUIRER_ADAPTERS: AcquirerAdapters = { stripe: missing('stripe'), adyen: missing('adyen') }
