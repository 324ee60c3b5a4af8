/** Screens of the console: how each is reached, whichever language it is in. */
import { expect, type Page } from '@playwright/test'
import type { ConsoleLocale } from '#contract/console/locale.ts'
import { addAuthenticator, enrolPasskey, type ConsolePerson } from '../../journeys/harness/console.ts'
import { payWithCard } from '../../journeys/harness/card-form.ts'
import { CommandError } from '../../tools/command-error.mjs'
import type { ConsoleFacts } from './fill-console.ts'

/** What the screens of one language are opened with. */
export interface ConsoleVisitFacts extends ConsoleFacts {
  readonly owner: ConsolePerson
  /** Invites a person, and answers the link that was mailed. */
  invite(locale: ConsoleLocale): Promise<string>
}

interface ConsoleScreen {
  readonly name: string
  /** Who looks at it: nobody yet, a person who was invited as a viewer, or the owner, of the new shop or of the filled one. */
  readonly by: 'stranger' | 'newcomer' | 'owner of a new shop' | 'owner'
  open(page: Page, facts: ConsoleVisitFacts, locale: ConsoleLocale): Promise<void>
}

const QUIET_MS = 10_000

/** The screen has come and has read what it shows. A screen with a preview may never be quiet: it is there by then. */
const settled = async (page: Page): Promise<void> => {
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
  await page.waitForLoadState('networkidle', { timeout: QUIET_MS }).catch(() => undefined)
  await expect(page.getByRole('status', { name: /^(Loading|読み込んでいます)$/ })).toHaveCount(0)
}

const at =
  (path: string | ((facts: ConsoleVisitFacts) => string)): ConsoleScreen['open'] =>
  async (page, facts) => {
    await page.goto(facts.owner.origin + (typeof path === 'string' ? path : path(facts)))
    await settled(page)
  }

const SHOP = '/shops/demo/test'
const SUBJECT = '煎茶「山霧」詰め合わせ'
const inShop = (path: string): ConsoleScreen['open'] => at(SHOP + path)

/** A screen with the dialog that its button opens. */
const withDialog =
  (open: ConsoleScreen['open'], button: RegExp): ConsoleScreen['open'] =>
  async (page, facts, locale) => {
    await open(page, facts, locale)
    await page.getByRole('main').getByRole('button', { name: button }).first().click()
    await expect(page.getByRole('dialog').or(page.getByRole('alertdialog'))).toBeVisible()
  }

const submit = (page: Page): Promise<void> => page.locator('main form button[type="submit"]').click()

const showCode: ConsoleScreen['open'] = async (page, facts, locale) => {
  await inShop('/counter')(page, facts, locale)
  await page.locator('main form input').first().fill('1980')
  await submit(page)
  await page.locator('main svg[role="img"], main img').first().waitFor()
}

/** The shopper pays in another tab with what the code says. */
const payAtCounter: ConsoleScreen['open'] = async (page, facts, locale) => {
  const created = page.waitForResponse((response) => response.request().method() === 'POST')
  await showCode(page, facts, locale)
  const checkout: unknown = await (await created).json()
  const url = typeof checkout === 'object' && checkout !== null && 'url' in checkout ? String(checkout.url) : ''
  const shopper = await page.context().newPage()
  await shopper.goto(url)
  await payWithCard(shopper)
  await shopper.waitForURL(/\/complete$/)
  await shopper.close()
  await expect(page.getByText(/^(Paid|お支払いが完了しました)$/).first()).toBeVisible()
}

const fillLink: ConsoleScreen['open'] = async (page, facts, locale) => {
  await inShop('/new-link')(page, facts, locale)
  await page.locator('main form input[inputmode="numeric"]').first().fill('4980')
  await page.getByLabel(/^(Subject|内容)/).fill(SUBJECT)
  await expect(page.frameLocator('iframe[aria-hidden="false"]').getByText(SUBJECT)).toBeVisible()
}

export const CONSOLE_SCREENS: readonly ConsoleScreen[] = [
  { name: 'home-empty', by: 'owner of a new shop', open: inShop('') },
  { name: 'links-empty', by: 'owner of a new shop', open: inShop('/links') },
  { name: 'money-empty', by: 'owner of a new shop', open: inShop('/money') },
  { name: 'webhooks-empty', by: 'owner of a new shop', open: inShop('/developers/webhooks') },
  { name: 'sign-in', by: 'stranger', open: at('/') },
  {
    name: 'invitation',
    by: 'newcomer',
    open: async (page, facts, locale) => {
      await addAuthenticator(page)
      await page.goto(await facts.invite(locale))
      await settled(page)
    },
  },
  {
    name: 'enrol',
    by: 'newcomer',
    open: async (page, _facts, locale) => {
      await page
        .locator('main input')
        .first()
        .fill(locale === 'ja' ? '鈴木 一郎' : 'Ken Suzuki')
      await submit(page)
      await expect(page.getByRole('heading', { level: 1, name: /^(Make a passkey|パスキーを登録)$/ })).toBeVisible()
    },
  },
  {
    name: 'not-allowed',
    by: 'newcomer',
    open: async (page, facts, locale) => {
      await enrolPasskey(page)
      await inShop('/developers')(page, facts, locale)
    },
  },
  { name: 'home', by: 'owner', open: inShop('') },
  { name: 'checkouts', by: 'owner', open: inShop('/checkouts') },
  { name: 'checkout-paid', by: 'owner', open: at(({ paid }) => `${SHOP}/checkouts/${paid}`) },
  { name: 'checkout-in-doubt', by: 'owner', open: at(({ inDoubt }) => `${SHOP}/checkouts/${inDoubt}`) },
  {
    name: 'refund',
    by: 'owner',
    open: withDialog(
      at(({ paid }) => `${SHOP}/checkouts/${paid}`),
      /^(Refund|返金する|返金)$/,
    ),
  },
  { name: 'checkout-not-found', by: 'owner', open: inShop('/checkouts/nothing') },
  { name: 'new-link', by: 'owner', open: fillLink },
  {
    name: 'link-shared',
    by: 'owner',
    open: async (page, facts, locale) => {
      await fillLink(page, facts, locale)
      await submit(page)
      await expect(page.locator('main input[readonly]')).toBeVisible()
      await settled(page)
    },
  },
  { name: 'links', by: 'owner', open: inShop('/links') },
  { name: 'link', by: 'owner', open: at(({ link }) => `${SHOP}/links/${link}`) },
  {
    name: 'link-change',
    by: 'owner',
    open: withDialog(
      at(({ link }) => `${SHOP}/links/${link}`),
      /^(Change limit or end|上限・期限を変更)$/,
    ),
  },
  { name: 'counter', by: 'owner', open: inShop('/counter') },
  { name: 'counter-code', by: 'owner', open: showCode },
  { name: 'counter-paid', by: 'owner', open: payAtCounter },
  { name: 'money', by: 'owner', open: inShop('/money') },
  {
    name: 'reconciliation',
    by: 'owner',
    open: at(({ reconciliation }) => `${SHOP}/money/reconciliations/${reconciliation}`),
  },
  { name: 'look', by: 'owner', open: inShop('/look') },
  { name: 'keys', by: 'owner', open: inShop('/developers') },
  { name: 'key-new', by: 'owner', open: withDialog(inShop('/developers'), /^(Create a key|キーを作成)$/) },
  { name: 'key-revoke', by: 'owner', open: withDialog(inShop('/developers'), /^(Revoke|無効にする)/) },
  { name: 'webhooks', by: 'owner', open: inShop('/developers/webhooks') },
  {
    name: 'webhook-new',
    by: 'owner',
    open: withDialog(inShop('/developers/webhooks'), /^(Add a webhook|Webhookを追加)$/),
  },
  { name: 'webhook', by: 'owner', open: at(({ webhook }) => `${SHOP}/developers/webhooks/${webhook}`) },
  { name: 'events', by: 'owner', open: inShop('/developers/events') },
  { name: 'people', by: 'owner', open: inShop('/people') },
  { name: 'invite', by: 'owner', open: withDialog(inShop('/people'), /^(Invite|招待する)$/) },
  { name: 'audit', by: 'owner', open: inShop('/people/audit') },
  { name: 'operator-shops', by: 'owner', open: at('/operator') },
  { name: 'operator-open-shop', by: 'owner', open: withDialog(at('/operator'), /^(Open a shop|ショップを開設)$/) },
  { name: 'operator-doubts', by: 'owner', open: at('/operator/doubts') },
  { name: 'operator-outbox', by: 'owner', open: at('/operator/outbox') },
  {
    name: 'operator-doctor',
    by: 'owner',
    open: async (page, facts, locale) => {
      await at('/operator/doctor')(page, facts, locale)
      await page.getByRole('button', { name: /^(Run the checks|点検する)$/ }).click()
      await expect(page.locator('main li').first()).toBeVisible({ timeout: 60_000 })
    },
  },
  { name: 'operator-audit', by: 'owner', open: at('/operator/audit') },
  { name: 'account', by: 'owner', open: at('/account') },
  { name: 'not-found', by: 'owner', open: at('/nothing') },
  { name: 'live-not-open', by: 'owner', open: at('/shops/demo/live') },
]

/** The named screens, or all of them. */
export const chooseConsoleScreens = (names: readonly string[]): readonly ConsoleScreen[] => {
  const unknown = names.find((name) => !CONSOLE_SCREENS.some((screen) => screen.name === name))
  if (unknown !== undefined)
    throw new CommandError(
      `the console has no screen ${unknown}: name one of ${CONSOLE_SCREENS.map(({ name }) => name).join(', ')}`,
    )
  return names.length === 0 ? CONSOLE_SCREENS : CONSOLE_SCREENS.filter(({ name }) => names.includes(name))
}
