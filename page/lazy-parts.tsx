/** Lazy parts: what the card page needs only after Pay or Cancel is pressed, and every other screen. One script of its own. */
import { ConfirmingPanel } from './payment/confirming-panel.tsx'
import { PaymentInProgress } from './payment/payment-in-progress.tsx'
import { CompletePage } from './complete/complete-page.tsx'
import { ErrorPage, NotFoundPage, NotLoadedPage, ServerErrorPage } from './error/error-page.tsx'
import { StoppedNotice } from './error/stopped-notice.tsx'
import { MenuList } from './ui/menu-list.tsx'
import { themeOf } from './theme.ts'
import { Challenge } from './three-ds/challenge.tsx'

export const lazyParts = {
  Challenge,
  CompletePage,
  ConfirmingPanel,
  ErrorPage,
  MenuList,
  NotFoundPage,
  NotLoadedPage,
  PaymentInProgress,
  ServerErrorPage,
  StoppedNotice,
  themeOf,
}
