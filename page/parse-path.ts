/** Page routes: which page a path shows. */
import { isScreen, type Screen } from '#contract/screens.ts'

export type PageRoute =
  | { readonly kind: 'not-found' }
  | { readonly kind: 'server-error' }
  | { readonly kind: 'preview' }
  | { readonly kind: 'checkout'; readonly checkoutId: string; readonly screen: Screen | 'root' }

/** First path segments that are never a checkout id. */
const RESERVED_NAMES = new Set(['404', '500', 'preview', ''])

export const parsePath = (path: string): PageRoute => {
  const [first = '', second = '', ...rest] = path.split('/').slice(1)
  if (rest.some((part) => part !== '')) return { kind: 'not-found' }
  if (first === '500' && second === '') return { kind: 'server-error' }
  if (first === 'preview' && second === '') return { kind: 'preview' }
  if (RESERVED_NAMES.has(first)) return { kind: 'not-found' }
  if (second === '') return { kind: 'checkout', checkoutId: first, screen: 'root' }
  return isScreen(second) ? { kind: 'checkout', checkoutId: first, screen: second } : { kind: 'not-found' }
}
