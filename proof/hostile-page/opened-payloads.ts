/** Opened payloads: pages full of payloads in Chromium, where nothing of them may run or be asked for. */
import type { Browser, BrowserContext, Page } from '@playwright/test'
import { fieldOf } from '../../journeys/harness/card-form.ts'
import { MERCHANT_SETTINGS, testKey } from '../harness/test-merchants.ts'
import type { Database } from '../../server/store/engine/database.ts'
import { insertKey } from '../../server/store/merchant/keys.ts'
import { openExistingDatabase } from '../../server/store/engine/open.ts'
import { CommandError } from '../../tools/command-error.mjs'
import { forEachAtOnce } from './carry-out.ts'
import { SENTINEL } from './payload-parts.ts'
import { openPage, type Program } from './program.ts'
import { saveMerchant } from '../harness/save-records.ts'

interface Lookout {
  readonly executed: string[]
  readonly violations: string[]
  readonly otherOrigins: string[]
}

/** Watches a page for anything that runs, is blocked or is asked of another origin. */
const watch = async (page: Page, base: URL, what: string, seen: Lookout): Promise<void> => {
  page.on('dialog', (dialog) => {
    seen.executed.push(`a dialog for ${what}`)
    void dialog.dismiss()
  })
  page.on('console', (message) => {
    if (/Content Security Policy|Trusted|Integrity-Policy|Connection-Allowlist/i.test(message.text()))
      seen.violations.push(`${message.text()} for ${what}`)
  })
  page.on('pageerror', (error) => seen.violations.push(`${error.message} for ${what}`))
  page.on('request', (request) => {
    const { protocol, host } = new URL(request.url())
    const isOurs = host === base.host || host.endsWith(`.${base.host}`)
    if (protocol.startsWith('http') && !isOurs) seen.otherOrigins.push(`${request.url()} for ${what}`)
  })
}

const hasExecuted = (page: Page): Promise<boolean> => page.evaluate((name) => name in window, SENTINEL)

/** A merchant whose every text is the payload: its settings have no API, so they are written beside the running server. */
const createMerchant = async (database: Database, label: string, payload: string): Promise<string> => {
  const receipt = {
    shopName: payload,
    shopAddress: payload,
    shopPhoneNumber: payload,
    shopEmail: payload,
    shopUrl: payload,
  }
  const settings = { ...MERCHANT_SETTINGS, receipt }
  const merchant = await saveMerchant(database, { id: `${label}-id`, label, settings }, 0)
  const key = `sk_test_${label.padStart(32, '0')}`
  await insertKey(database, testKey(key, merchant.id), 0)
  return key
}

/** Opens the address, types the payload where a shopper can type, and moves over the page as a shopper does. */
const openAndUse = async (
  context: BrowserContext,
  address: string,
  payload: string,
  program: Program,
  seen: Lookout,
) => {
  const page = await context.newPage()
  const what = JSON.stringify(payload)
  await watch(page, program.base, what, seen)
  try {
    await openPage(page, address)
    await page.waitForLoadState('networkidle')
    const isCardPage = (await page.locator('form').count()) > 0 && !address.includes('/preview')
    if (isCardPage) {
      await fieldOf(page, 'cardHolderName').fill(payload)
      await fieldOf(page, 'email').fill(payload)
      await fieldOf(page, 'email').blur()
    }
    await page.mouse.move(200, 200)
    if (await hasExecuted(page)) seen.executed.push(`a script for ${what}`)
  } finally {
    await page.close()
  }
}

export const openPayloads = async (browser: Browser, program: Program, payloads: readonly string[]) => {
  const opened = await openExistingDatabase({ databaseUrl: null, dataDir: program.dataDir })
  if ('problem' in opened) throw new CommandError(opened.problem)
  const { database } = opened
  const seen: Lookout = { executed: [], violations: [], otherOrigins: [] }
  let [count, refusedTexts, executedWithoutDefence] = [0, 0, 0]
  const context = await browser.newContext({ locale: 'en-US' })
  const bare = await browser.newContext()
  try {
    await forEachAtOnce([...payloads.entries()], async ([at, payload]) => {
      const label = `p${at}`
      const key = await createMerchant(database, label, payload)
      const encoded = encodeURIComponent(payload)
      const preview = `subject=${encoded}&remarks=${encoded}&shopName=${encoded}&logoUrl=${encoded}&brands=${encoded}`
      const host = `${program.base.protocol}//${label}.${program.base.host}`
      if (at % 4 === 0)
        await openAndUse(context, `${host}/preview?${preview}&colorCode=${encoded}`, payload, program, seen)
      else if (at % 4 === 1) await openAndUse(context, `${host}/x/${encoded}?locale=${encoded}`, payload, program, seen)
      else {
        const texts = { subject: payload, remarks: payload, metadata: { text: payload } }
        const withLink = await program.createCheckout({ ...texts, links: { cancelUrl: payload } }, key)
        const withTexts = withLink ?? (await program.createCheckout(texts, key))
        if (withTexts === undefined) refusedTexts += 1
        const checkout = withTexts ?? (await program.createCheckout({}, key))
        if (checkout === undefined) throw new CommandError('no checkout was created')
        await openAndUse(context, `${checkout.url}/creditcard?mode=${encoded}`, payload, program, seen)
      }
      count += 1

      const page = await bare.newPage()
      let isDialogShown = false
      page.on('dialog', (dialog) => {
        isDialogShown = true
        void dialog.dismiss()
      })
      await page.setContent(`<!doctype html><title>x</title><p>${payload}`, { waitUntil: 'commit' })
      await page.waitForTimeout(100)
      if (isDialogShown || (await hasExecuted(page).catch(() => true))) executedWithoutDefence += 1
      await page.close()
    })
  } finally {
    await context.close()
    await bare.close()
    await database.close()
  }
  return {
    opened: count,
    /** Payloads that the merchant API refused as texts: their pages were opened without them. */
    refusedTexts,
    ...seen,
    /** The control: the same payloads as the body of a document without any policy. */
    executedWithoutDefence,
  }
}
