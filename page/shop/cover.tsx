import { useState } from 'react'
import type { PageCheckout } from '../answers.ts'
import styles from './cover.module.css'

/** The shop's picture or colour, with its logo, or its name where it has none. A picture that fails leaves the colour. */
export const Cover = ({ checkout }: { readonly checkout: PageCheckout }) => {
  const { coverImageUrl, logoUrl } = checkout.merchant.setting
  const { shopName } = checkout.receipt
  const [failed, setFailed] = useState<{ readonly picture: boolean; readonly logo: boolean }>({
    picture: false,
    logo: false,
  })
  const hasPicture = coverImageUrl !== undefined && !failed.picture
  const hasLogo = logoUrl !== undefined && !failed.logo

  return (
    <div className={styles['cover']}>
      {hasPicture ? (
        <img
          className={styles['picture']}
          src={coverImageUrl}
          alt=""
          onError={() => setFailed({ ...failed, picture: true })}
        />
      ) : null}
      {hasLogo ? (
        <img
          className={styles['logo']}
          src={logoUrl}
          alt={shopName}
          onError={() => setFailed({ ...failed, logo: true })}
        />
      ) : (
        <div className={styles['named']}>
          <p className={`${styles['name']} ${hasPicture ? styles['onPicture'] : ''}`}>{shopName}</p>
        </div>
      )}
    </div>
  )
}
