/** Routes of the merchant API that read and change the settings of a shop. */
import type { FastifyPluginAsync, FastifyReply } from 'fastify'
import * as calls from '#contract/merchant/settings.ts'
import { isRefusal } from '#contract/errors.ts'
import { etagOf, readIfMatch } from './if-match.ts'
import { merchantOrigin } from '../../../origins.ts'
import { changeShopSettings, settingsFields } from '../../../operations/settings.ts'
import { shopPictures, type ShopPicture } from '../../../operations/pictures.ts'
import type { Merchant, MerchantSettings } from '../../../store/merchant/merchants.ts'
import { answerCall } from '../contract-route.ts'
import type { CallerOptions } from './caller.ts'

/** A picture that was not uploaded, such as one of the demo, has an address and nothing else. */
const presentPicture = (picture: ShopPicture | null, origin: string): calls.SettingsAnswer['logo'] => {
  if (picture === null) return null
  const { address, facts } = picture
  const url = new URL(address, origin).href
  return facts === null ? { url } : { url, contentType: facts.type, width: facts.width, height: facts.height }
}

/** ETag of everything in the answer. The address of a picture holds the hash of its bytes. */
const settingsEtag = (settings: MerchantSettings): string => {
  const { logoUrl = null, coverImageUrl = null } = settings.setting
  return etagOf({ ...settingsFields(settings), logoUrl, coverImageUrl })
}

export const settingsRoutes: FastifyPluginAsync<CallerOptions> = async (app, { deps, callerOf }) => {
  const answerSettings = async (
    { id, label }: Merchant,
    settings: MerchantSettings,
    reply: FastifyReply,
  ): Promise<calls.SettingsAnswer> => {
    const { logo, cover } = await shopPictures(deps, id, settings)
    const origin = merchantOrigin(deps.publicBase, label)
    reply.header('etag', settingsEtag(settings))
    const pictures = { logo: presentPicture(logo, origin), cover: presentPicture(cover, origin) }
    // As the page reads it: a picture that was not uploaded has none.
    const logoPlate = logo === null ? null : (settings.setting.logoPlate ?? 'light')
    return { label, ...settingsFields(settings), ...pictures, logoPlate }
  }

  answerCall(app, calls.readSettings, async (request, reply) => {
    const { merchant } = callerOf(request)
    return answerSettings(merchant, merchant.settings, reply)
  })

  answerCall(app, calls.changeSettings, async (request, reply) => {
    const ifMatch = readIfMatch(request.headers['if-match'])
    if (isRefusal(ifMatch)) return ifMatch
    const caller = callerOf(request)
    const changed = await changeShopSettings(deps, caller, request.body, (before) => ifMatch(settingsEtag(before)))
    return isRefusal(changed) ? changed : answerSettings(caller.merchant, changed, reply)
  })
}
