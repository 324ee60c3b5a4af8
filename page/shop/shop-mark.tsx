import type { PageCheckout } from '../parse-answers.ts'
import { useImage } from '../ui/use-image.ts'
import styles from './shop-mark.module.css'

/** Shop mark above an outcome: the shop's logo, or its name without one. */
export const ShopMark = ({ checkout }: { readonly checkout: PageCheckout }) => {
  const { logoUrl } = checkout.merchant.setting
  const { shopName } = checkout.receipt
  const logo = useImage(logoUrl)
  return (
    <p className={styles['mark']}>
      {logo.isShown ? (
        <img
          className={styles['logo']}
          src={logoUrl}
          alt={shopName}
          referrerPolicy="no-referrer"
          fetchPriority="low"
          {...logo.handlers}
        />
      ) : (
        shopName
      )}
    </p>
  )
}
