/** Demo links: the lines that `npm start` prints. */
import type { CheckoutAnswer } from '#contract/checkout.ts'
import { previewAddress } from '#contract/preview-address.ts'
import { LINK_PATHS } from '#contract/console/sign-in.ts'
import { openSetup } from '../operations/people/operator-people.ts'
import { consoleOrigin, hasConsole, merchantOrigin, noConsole } from '../origins.ts'
import { readCheckout } from '../operations/read-checkout.ts'
import type { Dependencies } from '../dependencies.ts'
import { presentCheckout } from '../http/present-checkout.ts'
import { findMerchant } from '../store/merchant/merchants.ts'
import { DEMO_LABEL, type Demo } from './demo.ts'
import { LIVE_DEMO_LABEL } from './live-demo.ts'

const findDemoCheckout = async (deps: Dependencies, checkoutId: string): Promise<CheckoutAnswer> => {
  const merchant = await findMerchant(deps.database, DEMO_LABEL)
  const reading = merchant === null ? null : await readCheckout(deps, { merchantId: merchant.id, checkoutId })
  if (merchant === null || reading === null) throw new Error('the demo merchant has no checkout')
  return presentCheckout(reading, { settings: merchant.settings, taken: 'test' })
}

const previewLink = (origin: string, { merchant, receipt, acceptedCardBrands, ...sale }: CheckoutAnswer): string => {
  const shop = { setting: merchant.setting, receipt, acceptedCardBrands, registrationNumber: null }
  const { amount, subject, remarks } = sale
  return previewAddress(origin, { shop, sale: { amount, subject, remarks }, view: { screen: 'creditcard' } })
}

/** Where people sign in; until somebody has, by a link that makes the first owner. */
export const setupLines = async (deps: Dependencies): Promise<string[]> => {
  if (!hasConsole(deps.publicBase)) return [`no console: ${noConsole(deps.publicBase)}`]
  const merchant = await findMerchant(deps.database, DEMO_LABEL)
  const token = merchant === null ? null : await openSetup(deps, merchant.id)
  const origin = consoleOrigin(deps.publicBase)
  return [`console: ${token === null ? `${origin}/` : `${origin}${LINK_PATHS.setup}${token}`}`]
}

/** What a newcomer is given to open and to call, one `name: value` a line: scripts read them. */
export const demoLines = async (deps: Dependencies, { checkoutId, merchantKey }: Demo): Promise<string[]> => {
  const origin = merchantOrigin(deps.publicBase, DEMO_LABEL)
  return [
    `shopper: ${origin}/${checkoutId}`,
    `preview: ${previewLink(origin, await findDemoCheckout(deps, checkoutId))}`,
    `merchant-api: ${deps.publicBase.origin}/merchant/v1`,
    `merchant-key: ${merchantKey}`,
  ]
}

/** The same of the shop in live mode, beside those of the first. */
export const liveDemoLines = ({ publicBase }: Dependencies, { checkoutId, merchantKey }: Demo): string[] => [
  `live-shopper: ${merchantOrigin(publicBase, LIVE_DEMO_LABEL)}/${checkoutId}`,
  `live-merchant-key: ${merchantKey}`,
]
