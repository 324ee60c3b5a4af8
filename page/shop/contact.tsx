import type { ReactNode } from 'react'
import type { PageCheckout } from '../answers.ts'
import { useLanguage } from '../words/language.tsx'
import styles from './contact.module.css'
import { isWebAddress, phoneHref } from '../web-address.ts'

interface WayProps {
  readonly href: string
  readonly label?: string
  readonly leaves?: boolean
  readonly isDisabled: boolean
  readonly children: ReactNode
}

/** A link that leads nowhere has no address, so that neither a click nor the keyboard can follow it. */
const Way = ({ href, label, leaves = false, isDisabled, children }: WayProps) =>
  isDisabled ? (
    // Without an address the element has no role of its own.
    // eslint-disable-next-line jsx-a11y/anchor-is-valid, jsx-a11y/no-redundant-roles
    <a role="link" aria-disabled="true" aria-label={label}>
      {children}
    </a>
  ) : (
    <a href={href} aria-label={label} {...(leaves ? { target: '_blank', rel: 'noopener noreferrer' } : {})}>
      {children}
    </a>
  )

interface ShopContactProps {
  readonly receipt: PageCheckout['receipt']
  readonly isDisabled?: boolean
}

/** Whom to ask: name, address, phone and mail of the shop. */
export const ShopContact = ({ receipt, isDisabled = false }: ShopContactProps) => {
  const { words } = useLanguage()
  const { shopName, shopAddress, shopPhoneNumber, shopEmail, shopUrl } = receipt
  return (
    <address className={styles['contact']}>
      <h2 className={styles['heading']}>{words.shop.contact}</h2>
      <p className={styles['name']}>
        {isWebAddress(shopUrl) ? (
          <Way href={shopUrl} leaves isDisabled={isDisabled}>
            {shopName}
          </Way>
        ) : (
          shopName
        )}
      </p>
      {shopAddress === '' ? null : <p>{shopAddress}</p>}
      <p className={styles['ways']}>
        {shopPhoneNumber === '' ? null : (
          <Way
            href={phoneHref(shopPhoneNumber)}
            label={`${words.shop.phone} ${shopPhoneNumber}`}
            isDisabled={isDisabled}
          >
            {shopPhoneNumber}
          </Way>
        )}
        {shopPhoneNumber === '' || shopEmail === '' ? null : (
          <span className={styles['separator']} aria-hidden="true">
            |
          </span>
        )}
        {shopEmail === '' ? null : (
          <Way href={`mailto:${shopEmail}`} label={`${words.shop.email} ${shopEmail}`} isDisabled={isDisabled}>
            {shopEmail}
          </Way>
        )}
      </p>
    </address>
  )
}
