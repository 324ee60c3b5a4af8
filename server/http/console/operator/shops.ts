/** Routes of the console by which an operator lists, opens, closes and reopens the shops of the installation. */
import { domainToUnicode } from 'node:url'
import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import type { AuditAction } from '#contract/console/audit.ts'
import * as calls from '#contract/console/operator.ts'
import { LINK_PATHS } from '#contract/console/sign-in.ts'
import { isRefusal, refuse, refuseField, type Refusal } from '#contract/errors.ts'
import { iso, when } from '#contract/answer-fields.ts'
import { readShopFacts } from '#payment/shop-facts.ts'
import { noteAtShop } from '../../../operations/people/change-people.ts'
import { closeShop, openShopWithOwner, reopenShop, type BesideShopChange } from '../../../operations/shops.ts'
import { consoleOrigin, labelProblem, merchantOrigin } from '../../../origins.ts'
import { pageOf } from '../../../store/engine/list-page.ts'
import {
  findListedMerchant,
  merchantsAfter,
  type ListedMerchant,
  type ListedShop,
} from '../../../store/merchant/merchants.ts'
import { presentPage, readPageQuery } from '../../routes/merchant/lists.ts'
import { answerConsoleCall, type ConsoleRouteOptions } from '../console-route.ts'

export const shopRoutes: FastifyPluginAsync<ConsoleRouteOptions> = async (app, options) => {
  const { deps, signedInOf } = options
  const { database, random, publicBase } = deps
  const { sendsMail } = options.settings

  const presentListed = ({ label, name, createdAt, closedAt }: ListedShop): calls.ShopAnswer => ({
    label,
    name,
    pages: merchantOrigin(publicBase, label),
    createdAt: iso(createdAt),
    ...when(closedAt, (at) => ({ closedAt: iso(at) })),
  })

  const presentShop = (shop: ListedMerchant): calls.ShopAnswer =>
    presentListed({ ...shop, name: shop.settings.receipt.shopName })

  /** The audit line of a change, in the transaction of the change. The shop's owners read it too. */
  const audited =
    (request: FastifyRequest, action: AuditAction, label: string): BesideShopChange =>
    (sql, merchantId, at) =>
      noteAtShop(sql, random, merchantId, { by: signedInOf(request).person, action, subject: label, at })

  answerConsoleCall(app, calls.listShops, async (request) => {
    const page = readPageQuery(request.query)
    if (isRefusal(page)) return page
    // A place has a time in front, which shops are not ordered by.
    const [, label = ''] = page.after ?? []
    const found = await merchantsAfter(database, label, page.limit)
    const listed = pageOf(found, page.limit, { read: (shop) => shop, placeOf: (shop) => [0, shop.label] })
    return presentPage(listed, presentListed)
  })

  answerConsoleCall(app, calls.openShop, async (request) => {
    const { label, owner, ...given } = request.body
    const problem = labelProblem(label)
    if (problem !== undefined) return refuseField('label', problem)
    const facts = readShopFacts(given, domainToUnicode)
    if (isRefusal(facts)) return facts
    const { person: by } = signedInOf(request)
    const opened = await openShopWithOwner(deps, { label, facts, owner: { ...owner, sendsMail }, by })
    if (isRefusal(opened)) return opened
    const link = `${consoleOrigin(publicBase)}${LINK_PATHS.invitation}${opened.invitation.token}`
    return { ...presentShop(opened.shop), ...(sendsMail ? {} : { link }) }
  })

  const change = async (
    label: string,
    work: (shop: ListedMerchant) => Promise<ListedMerchant>,
  ): Promise<calls.ShopAnswer | Refusal> => {
    const shop = await findListedMerchant(database, label)
    return shop === null ? refuse('shop_not_found') : presentShop(await work(shop))
  }

  answerConsoleCall(app, calls.closeShop, async (request) => {
    const { label } = request.params
    return change(label, (shop) => closeShop(deps, shop, audited(request, 'shop_closed', label)))
  })

  answerConsoleCall(app, calls.reopenShop, async (request) => {
    const { label } = request.params
    return change(label, (shop) => reopenShop(deps, shop, audited(request, 'shop_reopened', label)))
  })
}
