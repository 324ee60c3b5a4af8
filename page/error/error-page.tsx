/** Error page: a checkout that ended without a payment; why, and whom to contact. */
import type { ReactNode } from 'react'
import { useInitialData } from '../page-context.ts'
import type { PageCheckout, PageShop } from '../parse-answers.ts'
import { ShopContact } from '../shop/shop-contact.tsx'
import { ShopMark } from '../shop/shop-mark.tsx'
import { WayBackLink } from '../shop/way-back-link.tsx'
import { CenteredPanel, PageShell } from '../shop/page-shell.tsx'
import { Outcome, type OutcomeIcon } from '../shop/outcome.tsx'
import { Button } from '#ui/button.tsx'
import { useHistoryState } from '../location.ts'
import { readReturnPath } from '../return-path.ts'
import { useLanguage } from '../words/language-provider.tsx'
import type { Words } from '../words/en-US.ts'
import styles from './error-page.module.css'

const messageFor = (status: string, { error }: Words): string => {
  if (status === 'expired') return error.expired
  if (status === 'failed') return error.failed
  return status === 'cancelled' ? error.cancelled : error.other
}

/** Who cancelled a checkout, or let its deadline pass, need not be alarmed. */
const iconFor = (status: string): OutcomeIcon => (status === 'cancelled' || status === 'expired' ? status : 'error')

interface ErrorScreenProps {
  /** Null where nobody knows whose page it is. */
  readonly shop: PageShop | null
  readonly isPreview?: boolean
  readonly children: ReactNode
  readonly wayBack?: ReactNode
}

const ErrorScreen = ({ shop, isPreview = false, children, wayBack }: ErrorScreenProps) => (
  <PageShell fontType={shop?.merchant.setting.fontType ?? 'sans-serif'}>
    <CenteredPanel>
      {shop && <ShopMark shop={shop} />}
      {children}
      {shop && (
        <div className={styles['contact']}>
          <ShopContact receipt={shop.receipt} isDisabled={isPreview} />
        </div>
      )}
      {wayBack}
    </CenteredPanel>
  </PageShell>
)

interface ErrorPageProps {
  readonly checkout: PageCheckout
  readonly isPreview?: boolean
}

export const ErrorPage = ({ checkout, isPreview = false }: ErrorPageProps) => {
  const { words } = useLanguage()
  return (
    <ErrorScreen
      shop={checkout}
      isPreview={isPreview}
      wayBack={
        <div className={styles['wayBack']}>
          <WayBackLink checkout={checkout} isDisabled={isPreview} />
        </div>
      }
    >
      <Outcome icon={iconFor(checkout.status)} title={words.error.heading} message={messageFor(checkout.status, words)}>
        <p>{words.error.contactStore}</p>
      </Outcome>
    </ErrorScreen>
  )
}

/** The shop of an error page: the server tells it where it knows whose page was asked for. */
const useShop = (): PageShop | null => {
  const { checkout, shop } = useInitialData()
  return checkout ?? shop
}

export const NotFoundPage = () => {
  const { words } = useLanguage()
  return (
    <ErrorScreen shop={useShop()}>
      <Outcome icon="missing" title={words.error.notFoundTitle} message={words.error.notFoundMessage} />
    </ErrorScreen>
  )
}

export const ServerErrorPage = () => {
  const { words } = useLanguage()
  const returnPath = readReturnPath(useHistoryState())
  return (
    <ErrorScreen shop={useShop()}>
      <Outcome icon="unavailable" title={words.error.serverTitle} message={words.error.serverMessage}>
        {returnPath === undefined ? null : <a href={returnPath}>{words.error.tryAgain}</a>}
      </Outcome>
    </ErrorScreen>
  )
}

interface NotLoadedPageProps {
  /** Somebody answered, with a refusal (400, 403, 429): the network is in order. */
  readonly isAnswered: boolean
  readonly onTryAgain: () => void
}

/** The checkout could not be loaded: the shopper may try again on the same page. */
export const NotLoadedPage = ({ isAnswered, onTryAgain }: NotLoadedPageProps) => {
  const { words } = useLanguage()
  const message = isAnswered ? words.broken.notLoadedHelp : words.failure.network_error
  return (
    <ErrorScreen shop={useShop()}>
      <Outcome icon="unavailable" title={words.error.notLoaded} message={message}>
        <div className={styles['tryAgain']}>
          <Button kind="primary" type="button" onClick={onTryAgain}>
            {words.error.tryAgain}
          </Button>
        </div>
      </Outcome>
    </ErrorScreen>
  )
}
