/** Caller of the merchant API: what its routes know of whoever calls, and the checkouts that a call reaches. */
import type { FastifyRequest } from 'fastify'
import type { InstallationWarning } from '#contract/merchant/attention.ts'
import type { Dependencies } from '../../../dependencies.ts'
import type { Seller } from '../../../operations/create-checkout.ts'
import { merchantOrigin } from '../../../origins.ts'
import type { KeyScope } from '../../../store/merchant/keys.ts'
import { readCheckoutSnapshot } from '../../../store/checkout/checkout-reads.ts'
import type { Caller } from '../../../operations/caller.ts'

/** Of the server that answers. */
export type InstallationWarnings = () => Promise<readonly InstallationWarning[]>

/** What every file of routes of the merchant API is given. */
export interface CallerOptions {
  readonly deps: Dependencies
  readonly callerOf: (request: FastifyRequest) => Caller
  /** Waits for the turn of the next piece of a long answer. */
  readonly nextPiece: () => Promise<void>
  /** Notes a checkout that was made just now: its first payment does not wait behind made-up ids. */
  readonly noteMade: (checkoutId: string) => void
  readonly installationWarnings: InstallationWarnings
}

export const scopeOf = ({ merchant, mode }: Caller): KeyScope => ({ merchantId: merchant.id, mode })

/** Who sells by this call, with the settings and the acquirer by which a new checkout is judged. */
export const sellerOf = (caller: Caller): Seller => ({
  ...scopeOf(caller),
  settings: caller.merchant.settings,
  acquirer: caller.account?.kind ?? null,
})

/** The origin of the pages of the caller's shop. */
export const originOf = ({ publicBase }: Dependencies, { merchant }: Caller): string =>
  merchantOrigin(publicBase, merchant.label)

/** Whether a call reaches a checkout. Without an inquiry at the acquirer: its answer changes nothing here. */
export const isOwnCheckout = async (
  { database }: Dependencies,
  { merchantId, mode }: KeyScope,
  checkoutId: string,
): Promise<boolean> => (await readCheckoutSnapshot(database, { merchantId, checkoutId }))?.checkout.mode === mode
