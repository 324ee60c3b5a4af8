import type { Page } from '@playwright/test'
import {
  abort,
  CARDS,
  fieldOf,
  fillIn,
  losesThePayCall,
  openLanguageMenu,
  pay,
  RIGHT,
  START_CALL,
  WRONG,
} from './card-form.ts'
import type { Screen } from './screen.ts'

/** The bank's page in a frame of the bridge in a frame of the page, in whatever language they are. */
const meetsTheBank = async (page: Page): Promise<void> => {
  await pay(page, CARDS.challenged)
  await page.frameLocator('section iframe').frameLocator('iframe').locator('input[name="code"]').waitFor()
}

/** Where the line stands then: until then its room is held by the same words, unseen and unsaid. */
export const isOfferedHelp = async (page: Page): Promise<void> => {
  const room = await page.locator('section p[aria-hidden="true"]').textContent()
  await page
    .locator('section [role="status"]')
    .filter({ hasText: room ?? '' })
    .waitFor()
}

/** What the bridge would say if the card company said something unheard-of, and the report of it, without a server. */
const collectingGoesWrong = async (page: Page): Promise<void> => {
  const orderCode = 'a'.repeat(32)
  await page.route(START_CALL, (route) => {
    const bridge = new URL(route.request().url())
    bridge.hostname = bridge.hostname.replace(/^[^.]+/, '3ds')
    const answer = { orderCode, threeDSRequired: true, collectUrl: `${bridge.origin}/collect/x` }
    return route.fulfill({ json: { ...answer, monitoringUrl: `${bridge.origin}/watch/x` } })
  })
  const says = `<script>parent.postMessage({ event: 'Unheard', order_code: '${orderCode}' }, '*')</script>`
  await page.route('**/collect/x', (route) => route.fulfill({ contentType: 'text/html', body: says }))
  await page.route('**/watch/x', (route) => route.fulfill({ contentType: 'text/html', body: '' }))
  await page.route('**/collect-error', (route) => route.fulfill({ json: {} }))
}

/** An open checkout as its shopper fills it in, pays it and fails to. */
export const paymentScreens: readonly Screen[] = [
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
  {
    name: 'challenge',
    address: ({ challenged }, locale) => `${challenged[locale]}/creditcard`,
    act: meetsTheBank,
    shows: 'section iframe',
  },
  {
    name: 'challenge-help',
    address: ({ challenged }, locale) => `${challenged[locale]}/creditcard`,
    act: async (page) => {
      await meetsTheBank(page)
      await isOfferedHelp(page)
    },
    shows: 'section iframe',
  },
  {
    name: 'not-authenticated',
    address: ({ open }) => `${open}/creditcard`,
    before: collectingGoesWrong,
    act: pay,
    shows: 'form p[role="status"]',
  },
]
