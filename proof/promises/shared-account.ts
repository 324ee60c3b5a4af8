/** Shared account: one account at an acquirer that moves the money of all merchants in both modes. */
import { MERCHANT_MODES } from '#contract/access.ts'
import { takenCards } from '#payment/start-payment.ts'
import type { Gateways } from '../../server/dependencies.ts'
import type { Sql } from '../../server/store/engine/database.ts'
import type { KeyScope } from '../../server/store/merchant/keys.ts'
import { merchantIds } from '../../server/store/merchant/merchants.ts'

/** An account with all merchants in both modes. */
export const accountOfAll = async <G>(
  sql: Sql,
  gateway: G,
): Promise<{ readonly gateway: G; readonly scopes: readonly KeyScope[] }> => {
  const merchants = await merchantIds(sql)
  const scopes = merchants.flatMap((id) => MERCHANT_MODES.map((mode) => ({ merchantId: id, mode })))
  return { gateway, scopes }
}

export const sharedAccount = (sql: Sql, gateway: Awaited<ReturnType<Gateways['of']>>): Gateways => ({
  of: async () => gateway,
  takenCards: async ({ mode }) => takenCards(mode, null),
  accounts: async () => [await accountOfAll(sql, gateway)],
})
