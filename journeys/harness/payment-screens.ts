/** Payment screens: an open checkout while its shopper fills in the form, pays or fails to pay. */
import type { Page } from '@playwright/test'
import {
  abortRoute,
  CARDS,
  failPayCall,
  fieldOf,
  fillForm,
  INVALID_FORM,
  openLanguageMenu,
  payWithCard,
  START_CALL,
  VALID_FORM,
} from './card-form.ts'
import { bankFrameInAnyLanguage } from './challenge.ts'
import type { Screen } from './screen.ts'

const openChallenge = async (page: Page): Promise<void> => {
  await payWithCard(page, CARDS.challenged)
  await bankFrameInAnyLanguage(page).locator('input[name="code"]').waitFor()
}

/** Waits until the line of help shows: until then a hidden copy of its text keeps its place. */
export const waitForChallengeHelp = async (page: Page): Promise<void> => {
  const helpText = await page.locator('section p[aria-hidden="true"]').textContent()
  await page
    .locator('section [role="status"]')
    .filter({ hasText: helpText ?? '' })
    .waitFor()
}

/** Without the server: the bridge passes on a message of the card company that no release knows, and the page reports it. */
const stubUnknownCollectMessage = async (page: Page): Promise<void> => {
  const orderCode = 'a'.repeat(32)
  await page.route(START_CALL, (route) => {
    const bridge = new URL(route.request().url())
    bridge.hostname = bridge.hostname.replace(/^[^.]+/, '3ds')
    const response = { orderCode, threeDSRequired: true, collectUrl: `${bridge.origin}/collect/x` }
    return route.fulfill({ json: { ...response, monitoringUrl: `${bridge.origin}/watch/x` } })
  })
  const unknownMessage = `<script>parent.postMessage({ event: 'Unheard', order_code: '${orderCode}' }, '*')</script>`
  await page.route('**/collect/x', (route) => route.fulfill({ contentType: 'text/html', body: unknownMessage }))
  await page.route('**/watch/x', (route) => route.fulfill({ contentType: 'text/html', body: '' }))
  await page.route('**/collect-error', (route) => route.fulfill({ json: {} }))
}

export const paymentScreens: readonly Screen[] = [
  {
    name: 'card-filled',
    address: ({ open }) => `${open}/creditcard`,
    act: (page) => fillForm(page, VALID_FORM),
    readySelector: 'button[type="submit"]:enabled',
  },
  {
    name: 'card-wrong',
    address: ({ open }) => `${open}/creditcard`,
    act: async (page) => {
      await fillForm(page, INVALID_FORM)
      await fieldOf(page, 'email').press('Enter')
    },
    readySelector: 'input[autocomplete="email"][aria-invalid="true"]',
  },
  {
    name: 'card-required',
    address: ({ open }) => `${open}/creditcard`,
    act: (page) => fieldOf(page, 'email').press('Enter'),
    readySelector: 'input[autocomplete="email"][aria-invalid="true"]',
  },
  {
    name: 'card-busy',
    address: ({ open }) => `${open}/creditcard`,
    prepare: async (page) => {
      await page.route(START_CALL, () => undefined)
    },
    act: payWithCard,
    readySelector: 'button[aria-busy="true"]',
  },
  {
    name: 'card-nothing-charged',
    address: ({ open }) => `${open}/creditcard`,
    prepare: (page) => failPayCall(page, 1),
    act: payWithCard,
    readySelector: 'form p[role="status"]',
  },
  {
    name: 'modal',
    address: ({ open }) => `${open}/creditcard`,
    prepare: async (page) => {
      await page.route(START_CALL, abortRoute)
    },
    act: payWithCard,
    readySelector: 'dialog[open]',
  },
  {
    name: 'language-menu',
    address: ({ open }) => `${open}/creditcard`,
    act: openLanguageMenu,
    readySelector: '[role="listbox"]',
  },
  {
    name: 'confirming',
    address: ({ open }) => `${open}/creditcard`,
    prepare: (page) => failPayCall(page, Number.POSITIVE_INFINITY),
    act: payWithCard,
    readySelector: 'h2[tabindex="-1"]',
  },
  {
    name: 'challenge',
    address: ({ challenged }, locale) => `${challenged[locale]}/creditcard`,
    act: openChallenge,
    readySelector: 'section iframe',
  },
  {
    name: 'challenge-help',
    address: ({ challenged }, locale) => `${challenged[locale]}/creditcard`,
    act: async (page) => {
      await openChallenge(page)
      await waitForChallengeHelp(page)
    },
    readySelector: 'section iframe',
  },
  {
    name: 'not-authenticated',
    address: ({ open }) => `${open}/creditcard`,
    prepare: stubUnknownCollectMessage,
    act: payWithCard,
    readySelector: 'form p[role="status"]',
  },
]
