/** Shop mark above an outcome: the shop's logo, or its name without one. */
import type { PageShop } from '../parse-answers.ts'
import { useShopLogo } from './shop-logo.tsx'
import styles from './shop-mark.module.css'

export const ShopMark = ({ shop }: { readonly shop: PageShop }) => {
  const logo = useShopLogo(shop, styles['logo'])
  return <p className={styles['mark']}>{logo ?? shop.receipt.shopName}</p>
}
