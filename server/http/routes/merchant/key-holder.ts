/** Key holder: the merchant whose API key makes a call, and the checkouts that the key reaches. */
import type { FastifyRequest } from 'fastify'
import type { Dependencies } from '../../../dependencies.ts'
import type { Seller } from '../../../operations/create-checkout.ts'
import { merchantOrigin } from '../../../origins.ts'
import type { KeyScope } from '../../../store/merchant/keys.ts'
import { readCheckoutSnapshot } from '../../../store/checkout/checkout-reads.ts'
import type { KeyHolder } from '../../../store/merchant/merchants.ts'

/** What every file of routes of the merchant API is given. */
export interface KeyHolderOptions {
  readonly deps: Dependencies
  readonly holderOf: (request: FastifyRequest) => KeyHolder
  /** Waits for the turn of the next piece of a long answer. */
  readonly nextPiece: () => Promise<void>
}

export const scopeOf = ({ merchant, mode }: KeyHolder): KeyScope => ({ merchantId: merchant.id, mode })

/** Who sells by this key, with the settings and the acquirer by which a new checkout is judged. */
export const sellerOf = (holder: KeyHolder): Seller => ({
  ...scopeOf(holder),
  settings: holder.merchant.settings,
  acquirer: holder.account?.kind ?? null,
})

/** The origin of the pages of the holder's shop. */
export const originOf = ({ publicBase }: Dependencies, { merchant }: KeyHolder): string =>
  merchantOrigin(publicBase, merchant.label)

/** Whether a key reaches a checkout. Without an inquiry at the acquirer: its answer changes nothing here. */
export const isOwnCheckout = async (
  { database }: Dependencies,
  { merchantId, mode }: KeyScope,
  checkoutId: string,
): Promise<boolean> => (await readCheckoutSnapshot(database, { merchantId, checkoutId }))?.checkout.mode === mode
