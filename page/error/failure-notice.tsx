/** Failure notice: the page's script has failed. It works without any script: its link loads the same address again. */
import type { PageShop } from '../parse-answers.ts'
import { Outcome } from '../shop/outcome.tsx'
import { CenteredPanel } from '../shop/page-shell.tsx'
import { ShopContact } from '../shop/shop-contact.tsx'
import { useLanguage } from '../words/language-provider.tsx'
import styles from './failure-notice.module.css'

interface FailureNoticeProps {
  readonly title: string
  readonly message: string
  readonly shop: PageShop | null
  /** Whether the page below it is hidden: a form without its script must not look payable. */
  readonly replacesPage?: boolean
}

export const FailureNotice = ({ title, message, shop, replacesPage = false }: FailureNoticeProps) => {
  const { words } = useLanguage()
  return (
    <div role="alert" className={replacesPage ? styles['replacesPage'] : ''}>
      <CenteredPanel>
        <Outcome icon="unavailable" title={title} message={message}>
          {/* An empty address is the document's own, with its query. */}
          {/* eslint-disable-next-line jsx-a11y/anchor-is-valid */}
          <a className={styles['tryAgain']} href="">
            {words.error.tryAgain}
          </a>
        </Outcome>
        {shop === null ? null : (
          <div className={styles['contact']}>
            <ShopContact receipt={shop.receipt} />
          </div>
        )}
      </CenteredPanel>
    </div>
  )
}
