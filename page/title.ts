import type { PageCheckout } from './answers.ts'
import type { PageAddressed } from './address.ts'
import type { Words } from './words/en-US.ts'

/** The document's title. It names the shop, never the amount: titles end up in histories that others read. */
export const titleOf = (place: PageAddressed, checkout: PageCheckout | null, words: Words): string => {
  if (place.at === 'not-found') return words.title.notFound
  if (place.at === 'server-error') return words.title.serverError
  if (checkout === null) return words.title.plain
  const shop = checkout.receipt.shopName
  if (place.at === 'preview') return words.title.preview(shop)
  if (place.screen === 'complete') {
    return checkout.status === 'refunded' ? words.title.refunded(shop) : words.title.complete(shop)
  }
  return place.screen === 'error' ? words.title.error(shop) : words.title.pay(shop)
}
