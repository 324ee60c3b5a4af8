import amexSafeKey from '../art/amex-safekey.svg'
import dinersProtectBuy from '../art/diners-protectbuy.svg'
import jcbJSecure from '../art/jcb-j-secure.svg'
import mastercardIdentityCheck from '../art/mastercard-identity-check.svg'
import visaSecure from '../art/visa-secure.svg'
import { useLanguage } from '../words/language-provider.tsx'
import { CONSENT_NOTICE } from './consent-text.ts'
import styles from './consent.module.css'

const SECURE_BRANDS = [
  { name: 'Visa Secure', logo: visaSecure },
  { name: 'Mastercard Identity Check', logo: mastercardIdentityCheck },
  { name: 'JCB J/Secure', logo: jcbJSecure },
  { name: 'American Express SafeKey', logo: amexSafeKey },
  { name: 'Diners Club ProtectBuy', logo: dinersProtectBuy },
]

/** Consent block: what paying with 3-D Secure sends to the card issuer, and the logos of the brands' programs. */
export const Consent = () => {
  const { words, locale } = useLanguage()
  return (
    <section className={styles['consent']} aria-label={words.consent.heading}>
      <h2 className={styles['heading']}>{words.consent.heading}</h2>
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
            <img src={logo} alt={name} width={60} height={24} />
          </li>
        ))}
      </ul>
    </section>
  )
}
