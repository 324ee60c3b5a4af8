/** Screens: every screen of the page, with how a browser reaches it. */
import type { Page } from '@playwright/test'
import type { PageLocale } from '#contract/locale.ts'
import { openHydrated } from './hydration.ts'
import { paymentScreens } from './payment-screens.ts'
import { MERCHANT_TEXTS, type ScreenLinks, type Screen } from './screen.ts'

const preview = (links: ScreenLinks, parameters: Readonly<Record<string, string>>): string => {
  const { origin } = links
  const pictures = { coverImageUrl: `${origin}/demo/cover.jpg`, logoUrl: `${origin}/demo/logo.png` }
  const given = Object.entries({ ...pictures, ...parameters }).filter(([, value]) => value !== '')
  return `${origin}/preview?${new URLSearchParams(given)}`
}

/** The host that all merchants' hosts stand below. */
const baseOf = (origin: string): string => origin.replace(/\/\/[^.]+\./, '//')

/** The receipt whose words come in all languages at once, and which is Japanese in part in each. */
export const INVOICE_SCREEN = 'complete-invoice'

/** Drawn, not photographed: their addresses must fit into that of a preview. White letters on nothing, and six times as wide as high. */
const logo = (width: number, height: number, colour: string, text: string): string =>
  `data:image/svg+xml,${encodeURIComponent(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><text x="50%" y="70%" text-anchor="middle" font-family="sans-serif" font-size="${height * 0.6}" font-weight="700" fill="${colour}">${text}</text></svg>`,
  )}`
const SAMPLE_LOGOS = {
  wide: logo(600, 100, '#123a7a', 'WIDE LOGOTYPE'),
  white: logo(240, 100, '#ffffff', 'Blanc'),
}

const NO_PICTURES = { coverImageUrl: '', logoUrl: '' }

/** Screens: every screen of the page, for accessibility, translation and screenshots. */
export const screens: readonly Screen[] = [
  { name: 'card', address: ({ open }) => `${open}/creditcard`, readySelector: 'form' },
  ...paymentScreens,
  { name: 'card-test-mode', address: ({ open }) => `${open}/creditcard?mode=test`, readySelector: 'form' },
  { name: 'card-remarks', address: ({ remarks }) => `${remarks}/creditcard`, readySelector: 'form' },
  { name: 'card-serif', address: (links) => preview(links, { fontType: 'serif' }), readySelector: 'form' },
  { name: 'card-no-logo', address: (links) => preview(links, { logoUrl: '' }), readySelector: 'form' },
  {
    name: 'card-white',
    address: (links) => preview(links, { ...NO_PICTURES, colorCode: '#ffffff' }),
    readySelector: 'form',
  },
  {
    name: 'card-black',
    address: (links) => preview(links, { ...NO_PICTURES, colorCode: '#000000' }),
    readySelector: 'form',
  },
  {
    name: 'card-long',
    address: (links) =>
      preview(links, {
        ...NO_PICTURES,
        amount: '9999999',
        shopName: MERCHANT_TEXTS.longShopName,
        subject: MERCHANT_TEXTS.longSubject,
        brands: 'visa,master,jcb,amex,diners,discover',
      }),
    readySelector: 'form',
  },
  ...Object.entries({ 'card-yellow': '#ffff00', 'card-neon': '#39ff14' }).map(([name, colorCode]) => ({
    name,
    address: (links: ScreenLinks) => preview(links, { ...NO_PICTURES, colorCode }),
    readySelector: 'form',
  })),
  {
    name: 'card-wide-logo',
    address: (links) => preview(links, { logoUrl: SAMPLE_LOGOS.wide, remarks: MERCHANT_TEXTS.remarks }),
    readySelector: 'form',
  },
  {
    name: 'card-white-logo',
    address: (links) =>
      preview(links, { coverImageUrl: '', logoUrl: SAMPLE_LOGOS.white, logoPlate: 'dark', colorCode: '#e23b3b' }),
    readySelector: 'form',
  },
  { name: 'complete', address: ({ paid }) => `${paid}/complete`, readySelector: 'dl' },
  { name: INVOICE_SCREEN, address: ({ invoiced }) => `${invoiced}/complete`, readySelector: 'h2' },
  { name: 'refunded', address: (links) => preview(links, { screen: 'refunded' }), readySelector: 'dl' },
  { name: 'error-expired', address: ({ expired }) => `${expired}/error`, readySelector: 'address' },
  {
    name: 'error-failed',
    address: (links) => preview(links, { screen: 'error', status: 'failed' }),
    readySelector: 'address',
  },
  {
    name: 'error-cancelled',
    address: (links) => preview(links, { screen: 'error', status: 'cancelled' }),
    readySelector: 'address',
  },
  { name: 'not-found', address: ({ origin }) => `${origin}/404`, readySelector: 'h1' },
  { name: 'server-error', address: ({ origin }) => `${origin}/500`, readySelector: 'h1' },
  { name: 'preview', address: ({ origin }) => `${origin}/preview`, readySelector: 'form' },
  { name: 'about', address: ({ origin }) => `${baseOf(origin)}/about`, readySelector: 'h1', isWithoutScript: true },
  { name: 'privacy', address: ({ origin }) => `${baseOf(origin)}/privacy`, readySelector: 'h1', isWithoutScript: true },
]

/** What follows a challenge is checked from within it. */
const challenges = screens.filter(({ name }) => name.startsWith('challenge'))
const withActions = screens.filter((screen) => screen.act !== undefined && !challenges.includes(screen))
const openedOnly = screens.filter(
  (screen) => screen.isWithoutScript !== true && !withActions.includes(screen) && !challenges.includes(screen),
)

/** Groups of screens that one journey checks: opening many in one browser is quick. */
export const screenGroups: Readonly<Record<string, readonly Screen[]>> = {
  'the page as it is opened': openedOnly.filter(({ name }) => !name.startsWith('card-')),
  'the card page in every design': openedOnly.filter(({ name }) => name.startsWith('card-')),
  'the form that is filled in': withActions.filter(({ prepare }) => prepare === undefined),
  'a payment on its way': withActions.filter(({ prepare }) => prepare !== undefined),
  'a challenge': challenges.slice(0, 1),
}

/** Axe looks at these in every test run, and at all of them in the proofs `journeys` and `axe`. */
export const SCREENS_OF_EVERY_RUN: readonly string[] = ['card', INVOICE_SCREEN, 'error-expired']

/** The address of a screen in one language. */
export const addressOf = (screen: Screen, links: ScreenLinks, locale: PageLocale): string => {
  const url = new URL(screen.address(links, locale))
  url.searchParams.set('locale', locale)
  return url.href
}

/** Opens a screen and does what leads to it. Without motion: a spinner that turns takes all the time of a small machine. */
export const openScreen = async (page: Page, screen: Screen, links: ScreenLinks, locale: PageLocale): Promise<void> => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await screen.prepare?.(page)
  const address = addressOf(screen, links, locale)
  if (screen.act === undefined) {
    await page.goto(address)
  } else {
    await openHydrated(page, address)
    await screen.act(page)
  }
  await page.locator(screen.readySelector).first().waitFor()
}
