/** Shop contact: name, address, phone and e-mail of the shop. */
import type { ReactNode } from 'react'
import type { PageCheckout } from '../parse-answers.ts'
import { useLanguage } from '../words/language-provider.tsx'
import styles from './shop-contact.module.css'
import { isHttpUrl, phoneHref } from '../urls.ts'

interface ContactLinkProps {
  readonly href: string
  readonly label?: string
  readonly opensNewTab?: boolean
  readonly isDisabled: boolean
  readonly children: ReactNode
}

/** A disabled link has no `href`, so that neither a click nor the keyboard can follow it. */
const ContactLink = ({ href, label, opensNewTab: leaves = false, isDisabled, children }: ContactLinkProps) =>
  isDisabled ? (
    // Without `href` the element has no role of its own.
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

export const ShopContact = ({ receipt, isDisabled = false }: ShopContactProps) => {
  const { words } = useLanguage()
  const { shopName, shopAddress, shopPhoneNumber, shopEmail, shopUrl } = receipt
  return (
    <address className={styles['contact']}>
      <h2 className={styles['heading']}>{words.shop.contact}</h2>
      <p className={styles['name']}>
        {isHttpUrl(shopUrl) ? (
          <ContactLink href={shopUrl} opensNewTab isDisabled={isDisabled}>
            {shopName}
          </ContactLink>
        ) : (
          shopName
        )}
      </p>
      {shopAddress === '' ? null : <p>{shopAddress}</p>}
      <p className={styles['links']}>
        {shopPhoneNumber === '' ? null : (
          <ContactLink
            href={phoneHref(shopPhoneNumber)}
            label={`${words.shop.phone} ${shopPhoneNumber}`}
            isDisabled={isDisabled}
          >
            {shopPhoneNumber}
          </ContactLink>
        )}
        {shopEmail === '' ? null : (
          <span className={styles['mail']}>
            {shopPhoneNumber === '' ? null : (
              <span className={styles['separator']} aria-hidden="true">
                |
              </span>
            )}
            <ContactLink
              href={`mailto:${shopEmail}`}
              label={`${words.shop.email} ${shopEmail}`}
              isDisabled={isDisabled}
            >
              {shopEmail}
            </ContactLink>
          </span>
        )}
      </p>
    </address>
  )
}
