/**
 * Shop logo on its plate; undefined where the shop has none or it does not load, and its name is shown. Until it is there the
 * plate holds the name: pictures come after the script, and nobody should read a card form without knowing whose it is.
 */
import { useState } from 'react'
import type { PageShop } from '../parse-answers.ts'
import { useImage } from '../ui/use-image.ts'
import styles from './shop-logo.module.css'

export const useShopLogo = ({ merchant, receipt }: PageShop, className = ''): React.JSX.Element | undefined => {
  const { logoUrl, logoPlate = 'light' } = merchant.setting
  const [loaded, setLoaded] = useState<string | undefined>()
  const { isShown, props } = useImage(logoUrl)
  if (!isShown) return undefined
  const isLoaded = loaded === logoUrl
  return (
    <span className={`${styles['plate']} ${styles[logoPlate]} ${isLoaded ? '' : styles['waiting']} ${className}`}>
      {isLoaded ? null : <span className={styles['name']}>{receipt.shopName}</span>}
      <img
        className={styles['logo']}
        alt={receipt.shopName}
        referrerPolicy="no-referrer"
        onLoad={() => setLoaded(logoUrl)}
        {...props}
      />
    </span>
  )
}
