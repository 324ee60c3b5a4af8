import type { PageCheckout } from '../answers.ts'
import { useLanguage } from '../words/language.tsx'
import styles from './contact.module.css'
import { isWebAddress, phoneHref } from './web-address.ts'

/** Whom to ask: name, address, phone and mail of the shop. */
export const ShopContact = ({ receipt }: { readonly receipt: PageCheckout['receipt'] }) => {
  const { words } = useLanguage()
  const { shopName, shopAddress, shopPhoneNumber, shopEmail, shopUrl } = receipt
  return (
    <address className={styles['contact']}>
      <h2 className={styles['heading']}>{words.shop.contact}</h2>
      <p className={styles['name']}>
        {isWebAddress(shopUrl) ? (
          <a href={shopUrl} target="_blank" rel="noopener noreferrer">
            {shopName}
          </a>
        ) : (
          shopName
        )}
      </p>
      {shopAddress === '' ? null : <p>{shopAddress}</p>}
      <p className={styles['ways']}>
        {shopPhoneNumber === '' ? null : (
          <a href={phoneHref(shopPhoneNumber)} aria-label={`${words.shop.phone} ${shopPhoneNumber}`}>
            {shopPhoneNumber}
          </a>
        )}
        {shopPhoneNumber === '' || shopEmail === '' ? null : (
          <span className={styles['separator']} aria-hidden="true">
            |
          </span>
        )}
        {shopEmail === '' ? null : (
          <a href={`mailto:${shopEmail}`} aria-label={`${words.shop.email} ${shopEmail}`}>
            {shopEmail}
          </a>
        )}
      </p>
    </address>
  )
}
