/** Document title: it names the shop and never the amount, because other people may read the browser's history. */
import type { PageCheckout } from './parse-answers.ts'
import type { PageRoute } from './parse-path.ts'
import type { Words } from './words/en-US.ts'

export const documentTitle = (route: PageRoute, checkout: PageCheckout | null, words: Words): string => {
  if (route.kind === 'not-found') return words.title.notFound
  if (route.kind === 'server-error') return words.title.serverError
  if (checkout === null) return words.title.plain
  const shop = checkout.receipt.shopName
  if (route.kind === 'preview') return words.title.preview(shop)
  if (route.screen === 'complete') {
    return checkout.status === 'refunded' ? words.title.refunded(shop) : words.title.complete(shop)
  }
  return route.screen === 'error' ? words.title.error(shop) : words.title.pay(shop)
}
