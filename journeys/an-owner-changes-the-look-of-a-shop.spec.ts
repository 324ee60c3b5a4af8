import type { Page } from '@playwright/test'
import { expectAccessibleInProof } from './harness/axe.ts'
import { CARDS, payWithCard } from './harness/card-form.ts'
import { answerChallenge } from './harness/challenge.ts'
import { expectScreen, signIn, type ConsolePerson } from './harness/console.ts'
import { expect, test } from './harness/fixtures.ts'
import { compose, inputMethodOf } from './harness/input-method.ts'
import { loseNextAnswer } from './harness/server-response.ts'

/** What a browser reports of a page that must not be framed, of a refused field and of an answer that is lost. */
test.use({ toleratedConsoleError: /frame-ancestors 'none'|status of 422|net::ERR_FAILED/ })

/** Asks the console to open a shop, with the session of this page. */
const askForShop = (page: Page, email: string): Promise<void> =>
  page.evaluate(
    async (shop) => {
      const headers = { 'content-type': 'application/json' }
      const answer = await fetch('/console/v1/operator/shops', { method: 'POST', headers, body: JSON.stringify(shop) })
      if (!answer.ok) throw new Error(await answer.text())
    },
    { label: 'look', shopName: 'Kanda Books', owner: { email, locale: 'en-US' } },
  )

/** A picture of the shop's own, by its contents. */
const PICTURE = /\/pictures\/[0-9a-f]{64}\.png$/

/** What a camera that was held upright writes into its file (EXIF orientation 6): the pixels lie on their side. */
const LYING = Buffer.from('ffe100224578696600004d4d002a000000080001011200030000000100060000000000000000', 'hex')

/** Drops a photo of so many pixels onto the field, as a camera has stored it. */
const dropPhoto = async (page: Page, width: number, height: number): Promise<void> => {
  const pixels = await page.evaluate(
    ([across, down]) => {
      const canvas = document.createElement('canvas')
      canvas.width = across
      canvas.height = down
      canvas.getContext('2d')?.fillRect(0, 0, across / 2, down)
      return canvas.toDataURL('image/jpeg').split(',')[1] ?? ''
    },
    [width, height] as const,
  )
  const jpeg = Buffer.from(pixels, 'base64')
  const photo = Buffer.concat([jpeg.subarray(0, 2), LYING, jpeg.subarray(2)]).toString('base64')
  const dataTransfer = await page.evaluateHandle((text) => {
    const files = new DataTransfer()
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
    files.items.add(new File([bytes], 'photo.jpg', { type: 'image/jpeg' }))
    return files
  }, photo)
  const field = page.getByRole('group', { name: 'Cover' })
  for (const type of ['dragover', 'drop']) await field.dispatchEvent(type, { dataTransfer })
}

/** A shop of its own: all other journeys look at the demo. */
const openShop = async (page: Page, mailbox: string, { email, origin }: ConsolePerson): Promise<void> => {
  await askForShop(page, email)
  let link: string | undefined
  const readLink = async (): Promise<string | undefined> => {
    const { items } = (await (await fetch(`${mailbox}/v1/mails`)).json()) as { items: { number: number }[] }
    for (const { number } of items) {
      const html = await (await fetch(`${mailbox}/${number}/html`)).text()
      link ??= html.includes('Kanda Books') ? /https?:\/\/[^"<\s]+\/invitation\/[a-z0-9]+/.exec(html)?.[0] : undefined
    }
    return link
  }
  await expect.poll(readLink, { intervals: [100, 200, 300] }).toBeDefined()
  await page.goto(link ?? origin)
  await page.getByRole('button', { name: 'Join' }).click()
  await expect(page.getByRole('button', { name: /^Account: / })).toBeVisible()
}

/** The look, the conflict, the link and the money are one road: a shop is opened and set up once for all of them. */
test('a new shop gets its look, is paid by a link, and its owner sees the money, all in a browser', async ({
  page,
  context,
  owner,
  kaikei,
}) => {
  await page.setViewportSize({ width: 1280, height: 900 })
  await signIn(page, owner)
  await openShop(page, kaikei.mailbox, owner)
  const shop = `${owner.origin}/shops/look/test`
  await page.goto(`${shop}/look`)
  await expectScreen(page, 'Look and settings')
  const preview = page.frameLocator('iframe[aria-hidden="false"]')
  await expect(preview.locator('main')).toContainText('Kanda Books')
  const save = page.getByRole('button', { name: 'Save', exact: true })

  await test.step('the preview shows colour and logo before they are saved', async () => {
    await page.getByLabel('Choose a picture').first().setInputFiles('server/demo/logo.png')
    // While the picture is prepared.
    await page.getByLabel('Colour', { exact: true }).fill('#aa0011')
    await expect(page.getByText(/^A new picture \(\d+ × \d+, \d+ kB\), not saved yet\.$/)).toBeVisible()
    await expect(preview.locator('button[type="submit"]')).toHaveCSS('background-color', 'rgb(170, 0, 17)')
    await expect(preview.getByRole('img', { name: 'Kanda Books' })).toHaveAttribute('src', /^data:image\/webp;/)
    await expect(page.getByText('2 changes are not saved.')).toBeVisible()
    await expectAccessibleInProof(page)
  })

  await test.step('a photo that is dropped stands upright, a file that the browser cannot read is named, and both are undone', async () => {
    await dropPhoto(page, 1200, 600)
    const cover = page.getByRole('group', { name: 'Cover' })
    await expect(cover.getByRole('status')).toHaveText(/^A new picture \(600 × 1200, \d+ kB\), not saved yet\.$/)
    const heic = { name: 'photo.heic', mimeType: 'image/heic', buffer: Buffer.from('....ftypheic') }
    await cover.getByLabel('Take a photo').setInputFiles(heic)
    await expect(cover.getByRole('alert')).toHaveText(
      'This browser cannot read this picture. Choose a JPEG or PNG file.',
    )
    await cover.getByRole('button', { name: 'Undo' }).click()
    await expect(cover.getByRole('alert')).toHaveCount(0)
    await expect(cover.getByRole('status')).toHaveText('None yet.')
    await expect(page.getByText('2 changes are not saved.')).toBeVisible()
  })

  await test.step('a picture that the browser has no room to draw says so beside its field, and can still be saved or undone', async () => {
    await page.evaluate(() => {
      const create = window.createImageBitmap.bind(window)
      // The one that is drawn; to make it smaller the browser is told which way is up.
      const draw = (file: Blob, options?: ImageBitmapOptions): Promise<ImageBitmap> =>
        options === undefined ? Promise.reject(new Error('no room')) : create(file, options)
      Object.assign(window, { createImageBitmap: draw, undrawn: create })
    })
    await dropPhoto(page, 1200, 600)
    const cover = page.getByRole('group', { name: 'Cover' })
    await expect(cover.getByRole('alert')).toHaveText('This picture could not be shown here. You can still save it.')
    await expect(cover.getByRole('status')).toHaveText(/^A new picture/)
    await page.evaluate(() => Object.assign(window, { createImageBitmap: Reflect.get(window, 'undrawn') }))
    await cover.getByRole('button', { name: 'Undo' }).click()
    await expect(cover.getByRole('alert')).toHaveCount(0)
  })

  await test.step('what is not saved outlives another screen', async () => {
    await page.getByRole('button', { name: /^Account: / }).click()
    await page.getByRole('menuitem', { name: 'Account' }).click()
    await expectScreen(page, 'Account')
    await page.goBack()
    await expect(page.getByText('2 changes are not saved.')).toBeVisible()
  })

  await test.step('of two tabs that change the same field the second one is asked which value to use', async () => {
    const other = await context.newPage()
    await other.goto(`${shop}/look`)
    await other.getByLabel('Colour', { exact: true }).fill('#0044aa')
    await other.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(other.getByText('Saved.')).toBeVisible()
    await other.close()

    const refused = page.waitForResponse((response) => response.status() === 412)
    await save.click()
    await refused
    await expect(page.getByRole('alert')).toHaveText('Somebody else has changed the settings')
    await expect(page.getByText('Yours: #aa0011')).toBeVisible()
    await expect(page.getByText('Saved: #0044aa')).toBeVisible()
    await expect(save).toBeDisabled()
    await page.getByRole('button', { name: 'Colour: use yours' }).click()
    await save.click()
    await expect(page.getByText('Saved.', { exact: true })).toBeVisible()
    await expect(page.getByText(/not saved/)).toHaveCount(0)
    await expect(preview.getByRole('img', { name: 'Kanda Books' })).toHaveAttribute('src', PICTURE)
  })

  await test.step('what the server refuses is saved once it is another value, and what is typed during a saving is kept', async () => {
    const name = page.getByLabel('Name of the shop')
    await name.fill('4242 4242 4242 4242')
    await save.click()
    await expect(page.getByText('Enter 1 to 100 characters, without a card number.')).toBeVisible()
    await expect(save).toBeDisabled()
    await name.fill('Kanda Books & Tea')
    const saved = page.waitForRequest((request) => request.method() === 'PATCH')
    await save.click()
    await saved
    await page.getByLabel('Address', { exact: true }).fill('Tokyo')
    await expect(page.getByText('1 change is not saved.')).toBeVisible()
    await expect(save).toBeEnabled()
    await page.getByRole('button', { name: 'Discard changes' }).click()
    await expect(name).toHaveValue('Kanda Books & Tea')
    await name.fill('Kanda Books')
    await save.click()
    await expect(page.getByText(/not saved/)).toHaveCount(0)
  })

  await test.step('an input method types a registration number once', async () => {
    const number = page.getByLabel('Registration number')
    await number.focus()
    await compose(await inputMethodOf(page), 'Ｔ１２３４５６７８９０１２３')
    await number.blur()
    await expect(number).toHaveValue('T1234567890123')
    await page.getByRole('button', { name: 'Discard changes' }).click()
  })

  await page.getByRole('link', { name: 'New link', exact: true }).click()
  await expectScreen(page, 'New link')
  await page.getByLabel('Amount', { exact: true }).fill('1980')
  await page.getByLabel('Subject').fill('A book')
  const lost = await loseNextAnswer(page, '**/merchant/v1/checkouts')
  await page.getByLabel('Amount', { exact: true }).press('Enter')
  await expect(page.getByRole('alert')).toBeVisible()
  await page.getByRole('button', { name: 'Create the link' }).click()
  await expect(page.getByText('The link is ready')).toBeVisible()
  const url = await page.getByLabel('Link', { exact: true }).inputValue()
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByRole('button', { name: 'Copy the link', exact: true }).click()
  await expect(page.locator(':not(button) > [role="status"]').filter({ hasText: 'Copied.' })).toBeVisible()
  // One link, though its amount was tidied in between.
  expect(await (await lost.answer).json()).toMatchObject({ url })

  await test.step('a checkout is shown in no frame', async () => {
    const refused = page.waitForEvent('console', (message) => message.text().includes("frame-ancestors 'none'"))
    await page.evaluate((address) => {
      const frame = document.createElement('iframe')
      frame.src = address
      document.body.append(frame)
    }, url)
    await refused
  })

  await test.step('the shopper sees the look and pays with 3-D Secure', async () => {
    await page.goto(url)
    expect(await page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--brand'))).toBe(
      '#aa0011',
    )
    const logo = page.getByRole('img', { name: 'Kanda Books' })
    await expect(logo).toHaveAttribute('src', PICTURE)
    await expect(logo).not.toHaveJSProperty('naturalWidth', 0)
    await payWithCard(page, CARDS.challenged)
    await answerChallenge(page, '123456')
    await expect(page).toHaveURL(`${url}/complete`)
  })

  await test.step('home shows the money', async () => {
    await page.goto(shop)
    const today = page.locator('section', { has: page.getByRole('heading', { name: 'Today' }) })
    await expect(today).toContainText('¥1,980 JPY')
    await expect(today.getByText('1 charge', { exact: true })).toBeVisible()
    await expect(page.getByText('Nothing needs a person now.')).toBeVisible()
  })

  await test.step('a typed period counts once it is whole and in order', async () => {
    await page.goto(`${shop}/money`)
    await expectScreen(page, 'Money')
    const asked: string[] = []
    page.on('request', (request) => {
      const { pathname, search } = new URL(request.url())
      if (pathname.endsWith('/summary')) asked.push(search)
    })
    const month = (end: 'Start' | 'End') => page.getByRole('spinbutton', { name: `month, ${end} Date` })
    await month('Start').click()
    await page.keyboard.type('0101202601312025')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await expect(page.getByText('The last day is before the first one.')).toBeVisible()
    await month('End').click()
    await page.keyboard.type('01312026')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await expect(page.getByText('No money has moved')).toBeVisible()
    await month('End').click()
    await page.keyboard.press('Backspace')
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Shift+Tab')
    await expect(page.getByText('Enter both days, each with year, month and day.')).toBeVisible()
    await month('End').click()
    await page.keyboard.type('01')
    await page.getByRole('heading', { name: 'Money' }).click()
    await expect(page.getByText('Enter both days, each with year, month and day.')).toHaveCount(0)
    expect(asked).toEqual(['?from=2026-01-01&to=2026-01-31'])
  })
})
