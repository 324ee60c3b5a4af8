import type { PageCheckout } from '../parse-answers.ts'
import { useShopLogo } from './shop-logo.tsx'
import styles from './shop-mark.module.css'

/** Shop mark above an outcome: the shop's logo, or its name without one. */
export const ShopMark = ({ checkout }: { readonly checkout: PageCheckout }) => {
  const logo = useShopLogo(checkout, styles['logo'])
  return <p className={styles['mark']}>{logo ?? checkout.receipt.shopName}</p>
}
