/** Route of the merchant API that reads the key of its caller. */
import type { FastifyPluginAsync } from 'fastify'
import { readMe, type MeAnswer } from '#contract/merchant/me.ts'
import { iso, when } from '#payment/merchant-view.ts'
import type { KeyHolder } from '../../../store/merchant/merchants.ts'
import { answerCall } from '../contract-route.ts'
import type { KeyHolderOptions } from './key-holder.ts'

const presentMe = ({ merchant, mode, key }: KeyHolder): MeAnswer => ({
  merchant: { label: merchant.label, name: merchant.settings.receipt.shopName },
  mode,
  key: {
    access: key.access,
    ...when(key.hint, (hint) => ({ hint })),
    ...when(key.name, (name) => ({ name })),
    createdAt: iso(key.createdAt),
    ...when(key.expiresAt, (expiresAt) => ({ expiresAt: iso(expiresAt) })),
  },
})

export const meRoutes: FastifyPluginAsync<KeyHolderOptions> = async (app, { holderOf }) => {
  answerCall(app, readMe, async (request) => presentMe(holderOf(request)))
}
