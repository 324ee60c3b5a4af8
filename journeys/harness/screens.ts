import type { Page } from '@playwright/test'
import type { PageLocale } from '#contract/locale.ts'
import { openLive } from './live-page.ts'
import { paymentScreens } from './payment-screens.ts'
import { MERCHANT_TEXTS, type Links, type Screen } from './screen.ts'

const preview = (links: Links, parameters: Readonly<Record<string, string>>): string => {
  const { origin } = links
  const pictures = { coverImageUrl: `${origin}/demo/cover.jpg`, logoUrl: `${origin}/demo/logo.png` }
  const given = Object.entries({ ...pictures, ...parameters }).filter(([, value]) => value !== '')
  return `${origin}/preview?${new URLSearchParams(given)}`
}

const NO_PICTURES = { coverImageUrl: '', logoUrl: '' }

export const screens: readonly Screen[] = [
  { name: 'card', address: ({ open }) => `${open}/creditcard`, shows: 'form' },
  ...paymentScreens,
  { name: 'card-test-mode', address: ({ open }) => `${open}/creditcard?mode=test`, shows: 'form' },
  { name: 'card-remarks', address: ({ remarks }) => `${remarks}/creditcard`, shows: 'form' },
  { name: 'card-serif', address: (links) => preview(links, { fontType: 'serif' }), shows: 'form' },
  { name: 'card-no-logo', address: (links) => preview(links, { logoUrl: '' }), shows: 'form' },
  {
    name: 'card-white',
    address: (links) => preview(links, { ...NO_PICTURES, colorCode: '#ffffff' }),
    shows: 'form',
  },
  {
    name: 'card-black',
    address: (links) => preview(links, { ...NO_PICTURES, colorCode: '#000000' }),
    shows: 'form',
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
    shows: 'form',
  },
  { name: 'complete', address: ({ paid }) => `${paid}/complete`, shows: 'dl' },
  { name: 'refunded', address: (links) => preview(links, { screen: 'refunded' }), shows: 'dl' },
  { name: 'error-expired', address: ({ expired }) => `${expired}/error`, shows: 'address' },
  {
    name: 'error-failed',
    address: (links) => preview(links, { screen: 'error', status: 'failed' }),
    shows: 'address',
  },
  {
    name: 'error-cancelled',
    address: (links) => preview(links, { screen: 'error', status: 'cancelled' }),
    shows: 'address',
  },
  { name: 'not-found', address: ({ origin }) => `${origin}/404`, shows: 'h1' },
  { name: 'server-error', address: ({ origin }) => `${origin}/500`, shows: 'h1' },
  { name: 'preview', address: ({ origin }) => `${origin}/preview`, shows: 'form' },
]

/** One after the other is a single visit; what follows a challenge is looked at from within it. */
const challenges = screens.filter(({ name }) => name.startsWith('challenge'))
const moved = screens.filter((screen) => screen.act !== undefined && !challenges.includes(screen))
const opened = screens.filter((screen) => !moved.includes(screen) && !challenges.includes(screen))

/** The screens by the visit in which they are looked at: many are quickly opened where a browser stands already. */
export const visits: Readonly<Record<string, readonly Screen[]>> = {
  'the page as it is opened': opened.filter(({ name }) => !name.startsWith('card-')),
  'the card page in every dress': opened.filter(({ name }) => name.startsWith('card-')),
  'the form that is filled in': moved.filter(({ before }) => before === undefined),
  'a payment on its way': moved.filter(({ before }) => before !== undefined),
  'a challenge': challenges.slice(0, 1),
}

/** The address of a screen in one language. */
export const addressOf = (screen: Screen, links: Links, locale: PageLocale): string => {
  const url = new URL(screen.address(links, locale))
  url.searchParams.set('locale', locale)
  return url.href
}

/** Opens a screen and does what leads to it. Nothing turns: a ring that does keeps a small machine from anything else. */
export const openScreen = async (page: Page, screen: Screen, links: Links, locale: PageLocale): Promise<void> => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await screen.before?.(page)
  const address = addressOf(screen, links, locale)
  if (screen.act === undefined) {
    await page.goto(address)
  } else {
    await openLive(page, address)
    await screen.act(page)
  }
  await page.locator(screen.shows).first().waitFor()
}
