/** Routes of the merchant API that read and change the settings of a shop. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import * as calls from '#contract/merchant-settings-calls.ts'
import { isRefusal } from '#contract/errors.ts'
import { ChangeSettingsHeaders } from '#contract/merchant-settings.ts'
import { sendRefusal } from '../errors.ts'
import { etagOf, readIfMatch } from '../if-match.ts'
import { presentSettings } from '../present-settings.ts'
import type { Dependencies } from '../../dependencies.ts'
import { merchantOrigin } from '../../origins.ts'
import { changeShopSettings, settingsFields } from '../../operations/settings.ts'
import { shopPictures } from '../../operations/pictures.ts'
import type { KeyHolder, Merchant, MerchantSettings } from '../../store/merchant/merchants.ts'
import { bodyRouteOf, routeOf, sendAnswer } from './contract-route.ts'

interface SettingsOptions {
  readonly deps: Dependencies
  readonly holderOf: (request: FastifyRequest) => KeyHolder
}

/** Of all that the answer says: the address of a picture is the hash of its bytes. */
const settingsEtag = (settings: MerchantSettings): string => {
  const { logoUrl = null, coverImageUrl = null } = settings.setting
  return etagOf({ ...settingsFields(settings), logoUrl, coverImageUrl })
}

export const merchantSettingsRoutes: FastifyPluginAsyncTypebox<SettingsOptions> = async (app, { deps, holderOf }) => {
  const sendSettings = async (reply: FastifyReply, { id, label }: Merchant, settings: MerchantSettings) => {
    const pictures = await shopPictures(deps, id, settings)
    const answer = presentSettings(label, settings, pictures, merchantOrigin(deps.publicBase, label))
    return sendAnswer(reply.header('etag', settingsEtag(settings)), 200, answer)
  }

  app.route({
    ...routeOf(calls.readSettings),
    handler: async (request, reply) => {
      const { merchant } = holderOf(request)
      return sendSettings(reply, merchant, merchant.settings)
    },
  })

  app.route({
    ...bodyRouteOf(calls.changeSettings),
    schema: { ...bodyRouteOf(calls.changeSettings).schema, headers: ChangeSettingsHeaders },
    handler: async (request, reply) => {
      const ifMatch = readIfMatch(request.headers['if-match'])
      if (isRefusal(ifMatch)) return sendRefusal(reply, ifMatch)
      const holder = holderOf(request)
      const changed = await changeShopSettings(deps, holder, request.body, (before) => ifMatch(settingsEtag(before)))
      return isRefusal(changed) ? sendRefusal(reply, changed) : sendSettings(reply, holder.merchant, changed)
    },
  })
}
