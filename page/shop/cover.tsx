import type { PageCheckout } from '../parse-answers.ts'
import { useImage } from '../ui/use-image.ts'
import styles from './cover.module.css'

/**
 * Cover: the shop's picture or colour with its logo, or its name without one. A picture that fails leaves the colour. Both
 * come after the script: without the low priority React would have the browser fetch them first.
 */
export const Cover = ({ checkout }: { readonly checkout: PageCheckout }) => {
  const { coverImageUrl, logoUrl } = checkout.merchant.setting
  const { shopName } = checkout.receipt
  const picture = useImage(coverImageUrl)
  const logo = useImage(logoUrl)

  return (
    <div className={`${styles['cover']} ${logo.isShown ? styles['withLogo'] : ''}`}>
      {picture.isShown ? (
        <img
          className={styles['picture']}
          src={coverImageUrl}
          alt=""
          referrerPolicy="no-referrer"
          fetchPriority="low"
          {...picture.handlers}
        />
      ) : null}
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
        <div className={styles['nameArea']}>
          <p className={`${styles['name']} ${picture.isShown ? styles['onPicture'] : ''}`}>{shopName}</p>
        </div>
      )}
    </div>
  )
}
