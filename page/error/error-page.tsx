import { useHistoryState } from 'wouter/use-browser-location'
import type { PageCheckout } from '../answers.ts'
import { ShopContact } from '../shop/contact.tsx'
import { Ground, Sheet } from '../shop/sheet.tsx'
import { Told } from '../shop/outcome.tsx'
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
    <Ground fontType={checkout.merchant.setting.fontType}>
      <Sheet>
        <Told mark="stopped" title={words.error.heading} message={messageFor(checkout.status, words)}>
          <p>{words.error.contactStore}</p>
        </Told>
        <div className={styles['contact']}>
          <ShopContact receipt={checkout.receipt} isDisabled={isPreview} />
        </div>
      </Sheet>
    </Ground>
  )
}

export const NotFoundPage = () => {
  const { words } = useLanguage()
  return (
    <Ground fontType="sans-serif">
      <Sheet>
        <Told mark="stopped" title={words.error.notFoundTitle} message={words.error.notFoundMessage} />
      </Sheet>
    </Ground>
  )
}

export const ServerErrorPage = () => {
  const { words } = useLanguage()
  const back = readWayBack(useHistoryState())
  return (
    <Ground fontType="sans-serif">
      <Sheet>
        <Told mark="stopped" title={words.error.serverTitle} message={words.error.serverMessage}>
          {back === undefined ? null : <a href={back}>{words.error.tryAgain}</a>}
        </Told>
      </Sheet>
    </Ground>
  )
}

/** The checkout could not be loaded, and nobody knows why: the shopper may try again where they are. */
export const NotLoadedPage = ({ onTryAgain }: { readonly onTryAgain: () => void }) => {
  const { words } = useLanguage()
  return (
    <Ground fontType="sans-serif">
      <Sheet>
        <Told mark="stopped" title={words.error.notLoaded} message={words.failure.network_error}>
          <div className={styles['way']}>
            <Button kind="primary" type="button" onClick={onTryAgain}>
              {words.error.tryAgain}
            </Button>
          </div>
        </Told>
      </Sheet>
    </Ground>
  )
}
