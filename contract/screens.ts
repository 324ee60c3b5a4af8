/** Screens: which one belongs to which checkout status. */

/** The screens below /{checkoutId}. */
export const SCREENS = ['creditcard', 'complete', 'error'] as const
export type Screen = (typeof SCREENS)[number]

export const isScreen = (text: string): text is Screen => SCREENS.some((screen) => screen === text)

/** The screen that a checkout's link leads to. `status` is a plain string: an unknown one leads to the error screen. */
export const screenForStatus = (status: string): Screen => {
  if (status === 'open') return 'creditcard'
  return status === 'paid' || status === 'refunded' ? 'complete' : 'error'
}

/** Whether a screen may be shown. If not, the shopper is redirected to the checkout's link. */
export const isScreenForStatus = (screen: Screen, status: string): boolean => screenForStatus(status) === screen

/** Whether a document shows the card form, which the page's first script can bring to life alone. */
export const beginsWithCardForm = (
  path: string,
  checkout: { readonly status: string; readonly paymentPending: boolean } | null,
): boolean => path.endsWith('/creditcard') && checkout?.status === 'open' && !checkout.paymentPending
