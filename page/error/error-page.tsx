import { useHistoryState } from 'wouter/use-browser-location'
import type { PageCheckout } from '../answers.ts'
import { ShopContact } from '../shop/contact.tsx'
import { PageShell, Sheet } from '../shop/sheet.tsx'
import { Outcome } from '../shop/outcome.tsx'
import { Button } from '../ui/button.tsx'
import { readWayBack } from '../way-back.ts'
import { useLanguage } from '../words/language.tsx'
import type { Words } from '../words/en-US.ts'
import styles from './error-page.module.css'

const messageFor = (status: string, { error }: Words): string => {
  if (status === 'expired') return error.expired
  if (status === 'failed') return error.failed
  return status === 'cancelled' ? error.cancelled : error.other
}

interface ErrorPageProps {
  readonly checkout: PageCheckout
  readonly isPreview?: boolean
}

/** A checkout that ended without a payment: why, and whom to ask. */
export const ErrorPage = ({ checkout, isPreview = false }: ErrorPageProps) => {
  const { words } = useLanguage()
  return (
    <PageShell fontType={checkout.merchant.setting.fontType}>
      <Sheet>
        <Outcome mark="stopped" title={words.error.heading} message={messageFor(checkout.status, words)}>
          <p>{words.error.contactStore}</p>
        </Outcome>
        <div className={styles['contact']}>
          <ShopContact receipt={checkout.receipt} isDisabled={isPreview} />
        </div>
      </Sheet>
    </PageShell>
  )
}

export const NotFoundPage = () => {
  const { words } = useLanguage()
  return (
    <PageShell fontType="sans-serif">
      <Sheet>
        <Outcome mark="stopped" title={words.error.notFoundTitle} message={words.error.notFoundMessage} />
      </Sheet>
    </PageShell>
  )
}

export const ServerErrorPage = () => {
  const { words } = useLanguage()
  const back = readWayBack(useHistoryState())
  return (
    <PageShell fontType="sans-serif">
      <Sheet>
        <Outcome mark="stopped" title={words.error.serverTitle} message={words.error.serverMessage}>
          {back === undefined ? null : <a href={back}>{words.error.tryAgain}</a>}
        </Outcome>
      </Sheet>
    </PageShell>
  )
}

/** The checkout could not be loaded, and nobody knows why: the shopper may try again where they are. */
export const NotLoadedPage = ({ onTryAgain }: { readonly onTryAgain: () => void }) => {
  const { words } = useLanguage()
  return (
    <PageShell fontType="sans-serif">
      <Sheet>
        <Outcome mark="stopped" title={words.error.notLoaded} message={words.failure.network_error}>
          <div className={styles['way']}>
            <Button kind="primary" type="button" onClick={onTryAgain}>
              {words.error.tryAgain}
            </Button>
          </div>
        </Outcome>
      </Sheet>
    </PageShell>
  )
}
