/** Routes of the merchant API that read and change the settings of a shop. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply } from 'fastify'
import * as calls from '#contract/merchant/settings.ts'
import { isRefusal } from '#contract/errors.ts'
import type { PicturePlace } from '#contract/merchant/pictures.ts'
import { sendRefusal } from '../../errors.ts'
import { etagOf, readIfMatch } from './if-match.ts'
import { merchantOrigin } from '../../../origins.ts'
import { changeShopSettings, settingsFields } from '../../../operations/settings.ts'
import { shopPictures, type ShopPicture } from '../../../operations/pictures.ts'
import type { Merchant, MerchantSettings } from '../../../store/merchant/merchants.ts'
import { bodyRouteOf, routeOf, sendAnswer } from '../contract-route.ts'
import type { KeyHolderOptions } from './key-holder.ts'

/** A picture that was not uploaded, such as one of the demo, has an address and nothing else. */
const presentPicture = (picture: ShopPicture | null, origin: string): calls.SettingsAnswer['logo'] => {
  if (picture === null) return null
  const { address, facts } = picture
  const url = new URL(address, origin).href
  return facts === null ? { url } : { url, contentType: facts.type, width: facts.width, height: facts.height }
}

const presentSettings = (
  label: string,
  settings: MerchantSettings,
  pictures: Readonly<Record<PicturePlace, ShopPicture | null>>,
  origin: string,
): calls.SettingsAnswer => ({
  label,
  ...settingsFields(settings),
  logo: presentPicture(pictures.logo, origin),
  cover: presentPicture(pictures.cover, origin),
})

/** ETag of everything in the answer. The address of a picture holds the hash of its bytes. */
const settingsEtag = (settings: MerchantSettings): string => {
  const { logoUrl = null, coverImageUrl = null } = settings.setting
  return etagOf({ ...settingsFields(settings), logoUrl, coverImageUrl })
}

export const settingsRoutes: FastifyPluginAsyncTypebox<KeyHolderOptions> = async (app, { deps, holderOf }) => {
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
    handler: async (request, reply) => {
      const ifMatch = readIfMatch(request.headers['if-match'])
      if (isRefusal(ifMatch)) return sendRefusal(reply, ifMatch)
      const holder = holderOf(request)
      const changed = await changeShopSettings(deps, holder, request.body, (before) => ifMatch(settingsEtag(before)))
      return isRefusal(changed) ? sendRefusal(reply, changed) : sendSettings(reply, holder.merchant, changed)
    },
  })
}
