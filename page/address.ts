import { isScreen, type Screen } from '#contract/screens.ts'

/** Where an address leads on the page. */
export type PageAddressed =
  | { readonly at: 'not-found' }
  | { readonly at: 'server-error' }
  | { readonly at: 'preview' }
  | { readonly at: 'checkout'; readonly checkoutId: string; readonly screen: Screen | 'root' }

/** Names that can never be a checkout. */
const NOT_CHECKOUTS = new Set(['404', '500', 'preview', ''])

export const parsePath = (path: string): PageAddressed => {
  const [first = '', second = '', ...rest] = path.split('/').slice(1)
  if (rest.some((part) => part !== '')) return { at: 'not-found' }
  if (first === '500' && second === '') return { at: 'server-error' }
  if (first === 'preview' && second === '') return { at: 'preview' }
  if (NOT_CHECKOUTS.has(first)) return { at: 'not-found' }
  if (second === '') return { at: 'checkout', checkoutId: first, screen: 'root' }
  return isScreen(second) ? { at: 'checkout', checkoutId: first, screen: second } : { at: 'not-found' }
}
