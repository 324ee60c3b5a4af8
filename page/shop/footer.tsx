/** Page footer: the operator's links, the security badge, the release and the language menu. */
import { localeLabel, PAGE_LOCALES } from '#contract/locale.ts'
import { useInitialData } from '../page-context.ts'
import { Menu } from '../ui/menu.tsx'
import { Picture } from './picture.tsx'
import { useLanguage } from '../words/language-provider.tsx'
import styles from './footer.module.css'

const LANGUAGES = PAGE_LOCALES.map((locale) => ({ value: locale, label: localeLabel(locale), lang: locale }))

export const Footer = () => {
  const { words, locale, chooseLocale } = useLanguage()
  const { footer, release } = useInitialData()
  const inLanguage = (url: string): string => url.replace('{locale}', locale)
  return (
    <footer className={styles['footer']}>
      <div className={styles['links']}>
        <a href={inLanguage(footer.aboutUrl)} target="_blank" rel="noopener noreferrer">
          {words.footer.about}
        </a>
        <a href={inLanguage(footer.privacyUrl)} target="_blank" rel="noopener noreferrer">
          {words.footer.privacy}
        </a>
        <span className={styles['badge']}>
          <Picture name="lock" alt="" width={16} height={16} />
          {footer.badgeText ?? words.footer.badge}
        </span>
      </div>
      <div className={styles['product']}>
        <Picture name="powered-by" alt={words.footer.poweredBy} width={132} height={24} />
        <span>{release}</span>
        <Menu label={words.footer.language} items={LANGUAGES} chosen={locale} onChoose={chooseLocale} />
      </div>
    </footer>
  )
}
