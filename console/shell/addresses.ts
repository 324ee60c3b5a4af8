/** Addresses of the console: a shop and its mode stand in the path, so that each tab keeps its own and a link can be shared. */
import { isMerchantMode, type MerchantMode } from '#contract/access.ts'

export const shopAddress = (label: string, mode: MerchantMode): string => `/shops/${encodeURIComponent(label)}/${mode}`

const SHOP = /^\/shops\/([a-z0-9-]{1,63})\/([a-z]{1,10})(?:\/|$)/

/** The shop and the mode that an address names; null: it names none. */
export const shopInAddress = (address: string): { readonly label: string; readonly mode: MerchantMode } | null => {
  const [, label = '', mode = ''] = SHOP.exec(address) ?? []
  return label !== '' && isMerchantMode(mode) ? { label, mode } : null
}
