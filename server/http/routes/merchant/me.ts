/** Route of the merchant API that reads the key of its caller. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { readMe, type MeAnswer } from '#contract/merchant/me.ts'
import { iso, when } from '#payment/merchant-view.ts'
import type { KeyHolder } from '../../../store/merchant/merchants.ts'
import { routeOf, sendAnswer } from '../contract-route.ts'
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

export const meRoutes: FastifyPluginAsyncTypebox<KeyHolderOptions> = async (app, { holderOf }) => {
  app.route({
    ...routeOf(readMe),
    handler: async (request, reply) => sendAnswer(reply, 200, presentMe(holderOf(request))),
  })
}
