/** Consent block: what paying with 3-D Secure sends to the card issuer, and the logos of the brands' programs. */
import { useId } from 'react'
import { Picture, type PictureName } from '../shop/picture.tsx'
import { useLanguage } from '../words/language-provider.tsx'
import { CONSENT_NOTICE } from './consent-text.ts'
import styles from './consent.module.css'

const SECURE_BRANDS: readonly { readonly name: string; readonly logo: PictureName }[] = [
  { name: 'Visa Secure', logo: 'visa-secure' },
  { name: 'Mastercard Identity Check', logo: 'mastercard-identity-check' },
  { name: 'JCB J/Secure', logo: 'jcb-j-secure' },
  { name: 'American Express SafeKey', logo: 'amex-safekey' },
  { name: 'Diners Club ProtectBuy', logo: 'diners-protectbuy' },
]

export const Consent = () => {
  const { words, locale } = useLanguage()
  const id = useId()
  return (
    <section className={styles['consent']} aria-labelledby={id}>
      <h2 id={id} className={styles['heading']}>
        {words.consent.heading}
      </h2>
      {/* The reader's own language first: seven lines that few foreigners can read would hide it. */}
      {locale === 'ja' ? null : (
        <>
          <p>{words.consent.translation}</p>
          <h3 className={styles['original']}>{words.consent.original}</h3>
        </>
      )}
      <p lang="ja">{CONSENT_NOTICE}</p>
      <ul className={styles['logos']} aria-label={words.consent.secureBrands}>
        {SECURE_BRANDS.map(({ name, logo }) => (
          <li key={name}>
            <Picture name={logo} alt={name} width={60} height={24} />
          </li>
        ))}
      </ul>
    </section>
  )
}
