/**
 * Lazy parts, in one script of their own: what the card page needs after Pay or Cancel, every other screen, the list of an open
 * menu, and the theme where a shop's colour has changed since the document was drawn.
 */
import { ConfirmingPanel } from './payment/confirming-panel.tsx'
import { PaymentInProgress } from './payment/payment-in-progress.tsx'
import { CompletePage } from './complete/complete-page.tsx'
import { ErrorPage, NotFoundPage, NotLoadedPage, ServerErrorPage } from './error/error-page.tsx'
import { StoppedNotice } from './error/failure-notice.tsx'
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
