import type { PageCheckout } from '../parse-answers.ts'
import { useImage } from '../ui/use-image.ts'

/** Shop logo: the element that shows it; undefined where the shop has none or it does not load, and its name is shown. */
export const useShopLogo = ({ merchant, receipt }: PageCheckout, className = ''): React.JSX.Element | undefined => {
  const { logoUrl } = merchant.setting
  const { isShown, props } = useImage(logoUrl)
  if (!isShown) return undefined
  return <img className={className} alt={receipt.shopName} referrerPolicy="no-referrer" {...props} />
}
