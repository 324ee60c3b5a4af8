/** Cover: the shop's picture or colour with its logo, or its name without one. A picture that fails leaves the colour. */
import type { PageShop } from '../parse-answers.ts'
import { useImage } from '../ui/use-image.ts'
import styles from './cover.module.css'
import { useShopLogo } from './shop-logo.tsx'

export const Cover = ({ shop }: { readonly shop: PageShop }) => {
  const { coverImageUrl } = shop.merchant.setting
  const picture = useImage(coverImageUrl)
  const logo = useShopLogo(shop, styles['logo'])

  return (
    <div className={`${styles['cover']} ${logo === undefined ? '' : styles['withLogo']}`}>
      {picture.isShown ? (
        <img className={styles['picture']} alt="" referrerPolicy="no-referrer" {...picture.props} />
      ) : null}
      {logo ?? (
        <p className={`${styles['nameArea']} ${picture.isShown ? styles['onPicture'] : ''}`}>
          <span className={styles['name']}>{shop.receipt.shopName}</span>
        </p>
      )}
    </div>
  )
}
