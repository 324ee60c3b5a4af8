/** Names of what the navigation leads to, in its order; the first four stand at the lower edge of a phone. */
export const NAVIGATION = [
  'home',
  'checkouts',
  'newLink',
  'counter',
  'money',
  'links',
  'look',
  'people',
  'developers',
] as const
export type NavigationName = (typeof NAVIGATION)[number]

/** Where one item of the navigation leads, below the address of the shop. */
export interface NavigationItem {
  readonly name: NavigationName
  readonly path: string
}
