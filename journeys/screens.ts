import type { Page, Route } from '@playwright/test'
import type { PageLocale } from '#contract/locale.ts'
import { CARDS, openLive } from './kaikei.ts'

/** What the merchant wrote itself: it stands on the page in the merchant's language, whatever the shopper's is. */
export const MERCHANT_TEXTS = {
  subject: '煎茶「山霧」詰め合わせ / Sencha gift box',
  longSubject:
    '煎茶「山霧」と玉露「朝露」の詰め合わせ（ギフト包装・熨斗つき・名入れあり）二〇二六年秋の限定品 / Sencha and gyokuro gift box with wrapping and a hand-written card, autumn 2026',
  longShopName: '東京南青山で三代続く日本茶専門店 青山茶舗オンラインストア Aoyama Tea Merchants since 1892',
  remarks: Array.from({ length: 10 }, (_, line) => `${line + 1}. ご注文番号 A-${1024 + line} のお品物です。`).join(
    '\n',
  ),
} as const

/** Addresses that screens are opened at. They are made once: looking at a screen changes nothing. */
export interface Links {
  readonly origin: string
  readonly open: string
  readonly remarks: string
  readonly paid: string
  readonly expired: string
}

const TOKENS = {
  cardNumber: 'cc-number',
  expiryDate: 'cc-exp',
  cvc: 'cc-csc',
  cardHolderName: 'cc-name',
  email: 'email',
}

/** A field of the card form in whatever language the page is. */
export const fieldOf = (page: Page, name: keyof typeof TOKENS) => page.locator(`input[autocomplete="${TOKENS[name]}"]`)

const fillIn = async (page: Page, values: Record<keyof typeof TOKENS, string>): Promise<void> => {
  await fieldOf(page, 'cardNumber').fill(values.cardNumber)
  await fieldOf(page, 'expiryDate').fill(values.expiryDate)
  await fieldOf(page, 'cvc').fill(values.cvc)
  await fieldOf(page, 'cardHolderName').fill(values.cardHolderName)
  await fieldOf(page, 'email').fill(values.email)
}

/** A card that is charged, and one that every field complains about. */
const RIGHT = {
  cardNumber: CARDS.good,
  expiryDate: '1234',
  cvc: '123',
  cardHolderName: 'TARO YAMADA',
  email: 'taro@example.com',
}
const WRONG = {
  cardNumber: '4242424242424241',
  expiryDate: '0101',
  cvc: '1',
  cardHolderName: '山田',
  email: 'taro',
}

export const pay = async (page: Page): Promise<void> => {
  await fillIn(page, RIGHT)
  await page.locator('button[type="submit"]:enabled').click()
}

const START_CALL = '**/api/v1/checkouts/*/3ds'
const abort = (route: Route): Promise<void> => route.abort()

/** The start call is answered without a server, so that a payment that must not end leaves nothing behind. */
const startsAtOnce = async (page: Page): Promise<void> => {
  const answer = { orderCode: 'a'.repeat(32), threeDSRequired: false, collectUrl: '', monitoringUrl: '' }
  await page.route(START_CALL, (route) => route.fulfill({ json: answer }))
}

/** The network is lost while the card is charged; `readings` of the checkout fail after it. */
export const losesThePayCall = async (page: Page, readings: number): Promise<void> => {
  await startsAtOnce(page)
  await page.route('**/3ds/*/pay', abort)
  let read = 0
  await page.route(/\/api\/v1\/checkouts\/\w+$/, (route) => {
    read += 1
    return read <= readings ? route.abort() : route.continue()
  })
}

export const openLanguageMenu = async (page: Page): Promise<void> => {
  const opener = page.getByRole('combobox')
  const list = page.getByRole('listbox')
  // Before the page is alive a click opens nothing.
  for (let tries = 0; tries < 40 && !(await list.isVisible()); tries += 1) {
    await opener.click()
    await list.waitFor({ timeout: 250 }).catch(() => undefined)
  }
}

export interface Screen {
  readonly name: string
  address(links: Links): string
  /** Set up before the page is opened: calls that shall fail. */
  before?(page: Page): Promise<void>
  /** What the shopper does once the page is alive. */
  act?(page: Page): Promise<void>
  /** Stands on the page when the screen is reached. */
  readonly shows: string
}

const preview = (links: Links, parameters: Readonly<Record<string, string>>): string => {
  const { origin } = links
  const pictures = { coverImageUrl: `${origin}/demo/cover.jpg`, logoUrl: `${origin}/demo/logo.png` }
  const given = Object.entries({ ...pictures, ...parameters }).filter(([, value]) => value !== '')
  return `${origin}/preview?${new URLSearchParams(given)}`
}

const NO_PICTURES = { coverImageUrl: '', logoUrl: '' }

export const screens: readonly Screen[] = [
  { name: 'card', address: ({ open }) => `${open}/creditcard`, shows: 'form' },
  {
    name: 'card-filled',
    address: ({ open }) => `${open}/creditcard`,
    act: (page) => fillIn(page, RIGHT),
    shows: 'button[type="submit"]:enabled',
  },
  {
    name: 'card-wrong',
    address: ({ open }) => `${open}/creditcard`,
    act: async (page) => {
      await fillIn(page, WRONG)
      await fieldOf(page, 'email').press('Enter')
    },
    shows: 'input[autocomplete="email"][aria-invalid="true"]',
  },
  {
    name: 'card-required',
    address: ({ open }) => `${open}/creditcard`,
    act: (page) => fieldOf(page, 'email').press('Enter'),
    shows: 'input[autocomplete="email"][aria-invalid="true"]',
  },
  { name: 'card-test-mode', address: ({ open }) => `${open}/creditcard?mode=test`, shows: 'form' },
  {
    name: 'card-busy',
    address: ({ open }) => `${open}/creditcard`,
    before: async (page) => {
      await page.route(START_CALL, () => undefined)
    },
    act: pay,
    shows: 'button[aria-busy="true"]',
  },
  {
    name: 'card-nothing-charged',
    address: ({ open }) => `${open}/creditcard`,
    before: (page) => losesThePayCall(page, 1),
    act: pay,
    shows: 'form p[role="status"]',
  },
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
  {
    name: 'modal',
    address: ({ open }) => `${open}/creditcard`,
    before: async (page) => {
      await page.route(START_CALL, abort)
    },
    act: pay,
    shows: 'dialog[open]',
  },
  {
    name: 'language-menu',
    address: ({ open }) => `${open}/creditcard`,
    act: openLanguageMenu,
    shows: '[role="listbox"]',
  },
  {
    name: 'confirming',
    address: ({ open }) => `${open}/creditcard`,
    before: (page) => losesThePayCall(page, Number.POSITIVE_INFINITY),
    act: pay,
    shows: 'h2[tabindex="-1"]',
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

/** Screens that something must happen to first. */
export const movedScreens = screens.filter(({ act, before }) => act !== undefined || before !== undefined)

/** Screens that are merely opened; many of them are quickly looked at in one visit. */
const opened = screens.filter((screen) => !movedScreens.includes(screen))
export const stillScreens = {
  'the page as it is opened': opened.filter(({ name }) => !name.startsWith('card-')),
  'the card page in every dress': opened.filter(({ name }) => name.startsWith('card-')),
}

/** The address of a screen in one language. */
export const addressOf = (screen: Screen, links: Links, locale: PageLocale): string => {
  const url = new URL(screen.address(links))
  url.searchParams.set('locale', locale)
  return url.href
}

/** Opens a screen and does what leads to it. Nothing turns: a ring that does keeps a small machine from anything else. */
export const openScreen = async (page: Page, screen: Screen, links: Links, locale: PageLocale): Promise<void> => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
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
