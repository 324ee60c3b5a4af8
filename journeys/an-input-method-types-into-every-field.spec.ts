import type { Page } from '@playwright/test'
import { fieldOf, payButton, START_CALL } from './harness/card-form.ts'
import { openBeforeHydration, openHydrated } from './harness/hydration.ts'
import { expect, test } from './harness/fixtures.ts'
import { compose, inputMethodOf } from './harness/input-method.ts'

type Field = Parameters<typeof fieldOf>[1]

/** What a shopper with a Japanese keyboard types, and what the field then shows. */
const TYPED: Record<Field, { readonly typed: string; readonly shown: string }> = {
  cardNumber: { typed: '４２４２４２４２４２４２４２４２', shown: '4242 4242 4242 4242' },
  expiryDate: { typed: '１２３４', shown: '12 / 34' },
  cvc: { typed: '１２３', shown: '123' },
  cardHolderName: { typed: 'ＴＡＲＯ　ＹＡＭＡＤＡ', shown: 'TARO YAMADA' },
  email: { typed: 'ｔａｒｏ＠ｅｘａｍｐｌｅ．ｃｏｍ', shown: 'taro@example.com' },
}
const FIELDS = ['cardNumber', 'expiryDate', 'cvc', 'cardHolderName', 'email'] as const satisfies Field[]

const CARD = {
  number: '4242424242424242',
  expiryMonth: 12,
  expiryYear: 2034,
  cvc: '123',
  email: 'taro@example.com',
  name: 'TARO YAMADA',
}

const composeAll = async (page: Page): Promise<void> => {
  const inputMethod = await inputMethodOf(page)
  for (const field of FIELDS) {
    await fieldOf(page, field).focus()
    await compose(inputMethod, TYPED[field].typed)
  }
}

const expectAllShown = async (page: Page): Promise<void> => {
  for (const field of FIELDS) await expect(fieldOf(page, field)).toHaveValue(TYPED[field].shown)
}

/** Pays, and returns the card that the page sent. */
const payAndReadCard = async (page: Page): Promise<unknown> => {
  const start = page.waitForRequest(START_CALL)
  await payButton(page).click()
  const body: unknown = (await start).postDataJSON()
  await expect(page.getByRole('heading', { name: 'Payment complete' })).toBeVisible()
  return body
}

test('a card composed before the page is alive arrives once and whole', async ({ page, kaikei }) => {
  const hydrate = await openBeforeHydration(page, (await kaikei.createCheckout()).url)
  await composeAll(page)
  for (const field of ['cardNumber', 'expiryDate', 'cvc'] as const) {
    await expect(fieldOf(page, field)).toHaveValue(TYPED[field].shown)
  }
  await hydrate()
  await expectAllShown(page)
  expect(await payAndReadCard(page)).toEqual({ card: CARD })
})

test('a composition that spans the page coming alive is neither lost nor doubled, in every field', async ({
  page,
  kaikei,
}) => {
  const { url } = await kaikei.createCheckout()
  for (const field of FIELDS) {
    const hydrate = await openBeforeHydration(page, url)
    const inputMethod = await inputMethodOf(page)
    const { typed, shown } = TYPED[field]
    await fieldOf(page, field).focus()
    await inputMethod.send('Input.imeSetComposition', { text: typed, selectionStart: 1, selectionEnd: 1 })
    await hydrate()
    await inputMethod.send('Input.insertText', { text: typed })
    await expect(fieldOf(page, field), field).toHaveValue(shown)
  }
})

/** Enter as an input method passes it on: still composing, or, in Safari, after the composition with the code 229. */
const ENTERS = {
  'while it composes': { windowsVirtualKeyCode: 13, ends: false },
  'with the code 229 after it has ended': { windowsVirtualKeyCode: 229, ends: true },
} as const

for (const [when, { windowsVirtualKeyCode, ends }] of Object.entries(ENTERS)) {
  const tag = ends ? ['@proof'] : []
  const pressEnter = async (page: Page, text: string): Promise<void> => {
    const inputMethod = await inputMethodOf(page)
    await inputMethod.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length })
    if (ends) await inputMethod.send('Input.insertText', { text })
    const key = { key: 'Enter', code: 'Enter', windowsVirtualKeyCode, text: '\r', unmodifiedText: '\r' }
    await inputMethod.send('Input.dispatchKeyEvent', { type: 'keyDown', ...key })
    await inputMethod.send('Input.dispatchKeyEvent', { type: 'keyUp', ...key })
    if (!ends) await inputMethod.send('Input.insertText', { text })
  }

  test(`a shopper with an input method whose Enter comes ${when}`, { tag }, async ({ page, kaikei }) => {
    await openHydrated(page, (await kaikei.createCheckout()).url)
    const holder = fieldOf(page, 'cardHolderName')
    await test.step(`the Enter that chooses a word ${when} shows no error in other fields`, async () => {
      await holder.focus()
      await pressEnter(page, 'ＴＡＲＯ')
      await expect(holder).toHaveValue('TARO')
      await expect(holder).toBeFocused()
      await expect(page.locator('[aria-invalid="true"]')).toHaveCount(0)
      await page.keyboard.press('Enter')
      await expect(page.locator('[aria-invalid="true"]')).toHaveCount(4)
      await holder.fill('')
    })
    const starts: unknown[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/3ds')) starts.push(request.postDataJSON())
    })
    await test.step(`the Enter that chooses a word ${when} does not pay`, async () => {
      await composeAll(page)
      await expectAllShown(page)
      await expect(payButton(page)).toBeEnabled()
      await holder.focus()
      await page.keyboard.press('End')
      await pressEnter(page, 'Ａ')
      await expect(holder).toHaveValue('TARO YAMADAA')
      await expect(payButton(page)).toBeEnabled()
      expect(starts).toEqual([])
    })
    await test.step('a card composed with an input method arrives once and whole', async () => {
      await page.keyboard.press('Backspace')
      // The same Enter without an input method pays: the form above could have been paid.
      await page.keyboard.press('Enter')
      await expect(page.getByRole('heading', { name: 'Payment complete' })).toBeVisible()
      expect(starts).toEqual([{ card: CARD }])
    })
  })
}

const PASTED: Record<Field, readonly string[]> = {
  cardNumber: [
    '4242-4242-4242-4242',
    ' 4242 4242 4242 4242 ',
    '４２４２－４２４２－４２４２－４２４２',
    '4242\t424242424242',
  ],
  expiryDate: ['12/34', '12-34', ' 12 / 34 ', '１２／３４'],
  cvc: ['123', ' 123', '１２３'],
  cardHolderName: ['TARO YAMADA', 'ＴＡＲＯ ＹＡＭＡＤＡ', 'TARO　YAMADA'],
  email: ['taro@example.com', 'ｔａｒｏ@example.com'],
}

test('card data pasted with spaces, dashes or in full width is read correctly', async ({ page, context, kaikei }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await openHydrated(page, (await kaikei.createCheckout()).url)
  for (const field of FIELDS) {
    const input = fieldOf(page, field)
    for (const text of PASTED[field]) {
      await page.evaluate((copied) => navigator.clipboard.writeText(copied), text)
      await input.fill('')
      await input.focus()
      await page.keyboard.press('Control+V')
      await expect(input, text).toHaveValue(TYPED[field].shown)
    }
  }
  expect(await payAndReadCard(page)).toEqual({ card: CARD })
})

/** A browser fills in a form by setting the value; it sends an event, or, before hydration, none. */
const fillAsBrowser = (page: Page, field: Field, value: string, sendsEvent: boolean): Promise<void> =>
  fieldOf(page, field).evaluate(
    (input: HTMLInputElement, given) => {
      input.value = given.value
      if (given.sendsEvent) input.dispatchEvent(new InputEvent('input', { bubbles: true }))
    },
    { value, sendsEvent },
  )

const FILLED: Record<Field, string> = {
  cardNumber: '4242424242424242',
  expiryDate: '12/2034',
  cvc: '123',
  cardHolderName: 'TARO YAMADA',
  email: 'taro@example.com',
}

test(
  'an expiry date that the browser fills in is read in each of its formats',
  { tag: '@proof' },
  async ({ page, kaikei }) => {
    await openHydrated(page, (await kaikei.createCheckout()).url)
    for (const field of FIELDS) await fillAsBrowser(page, field, FILLED[field], true)
    const shapes = { '12/34': '12 / 34', '1234': '12 / 34', '12 / 2034': '12 / 2034', '12/2034': '12 / 2034' }
    for (const [expiry, shown] of Object.entries(shapes)) {
      await fillAsBrowser(page, 'expiryDate', '', true)
      await expect(payButton(page)).toBeDisabled()
      await fillAsBrowser(page, 'expiryDate', expiry, true)
      await expect(fieldOf(page, 'expiryDate')).toHaveValue(shown)
      await expect(payButton(page)).toBeEnabled()
    }
    expect(await payAndReadCard(page)).toEqual({ card: CARD })
  },
)

for (const sendsEvent of [true, false]) {
  const tag = sendsEvent ? ['@proof'] : []
  test(
    `a form filled in by the browser before the page is alive, ${sendsEvent ? 'with' : 'without'} an event, is taken over`,
    { tag },
    async ({ page, kaikei }) => {
      const hydrate = await openBeforeHydration(page, (await kaikei.createCheckout()).url)
      for (const field of FIELDS) await fillAsBrowser(page, field, FILLED[field], sendsEvent)
      if (sendsEvent) await expect(fieldOf(page, 'expiryDate')).toHaveValue('12 / 2034')
      await hydrate()
      await expect(fieldOf(page, 'expiryDate')).toHaveValue('12 / 2034')
      await expect(fieldOf(page, 'cardNumber')).toHaveValue('4242 4242 4242 4242')
      expect(await payAndReadCard(page)).toEqual({ card: CARD })
    },
  )
}
