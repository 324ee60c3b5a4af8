import type { PageCheckout } from '../parse-answers.ts'
import { useImage } from '../ui/use-image.ts'
import styles from './cover.module.css'
import { useShopLogo } from './shop-logo.tsx'

/** Cover: the shop's picture or colour with its logo, or its name without one. A picture that fails leaves the colour. */
export const Cover = ({ checkout }: { readonly checkout: PageCheckout }) => {
  const { coverImageUrl } = checkout.merchant.setting
  const picture = useImage(coverImageUrl)
  const logo = useShopLogo(checkout, styles['logo'])

  return (
    <div className={`${styles['cover']} ${logo === undefined ? '' : styles['withLogo']}`}>
      {picture.isShown ? (
        <img className={styles['picture']} alt="" referrerPolicy="no-referrer" {...picture.props} />
      ) : null}
      {logo ?? (
        <div className={styles['nameArea']}>
          <p className={`${styles['name']} ${picture.isShown ? styles['onPicture'] : ''}`}>
            {checkout.receipt.shopName}
          </p>
        </div>
      )}
    </div>
  )
}
