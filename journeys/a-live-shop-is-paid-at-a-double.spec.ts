import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import type { Page } from '@playwright/test'
import { answerChallenge, lengthenCollectTimeout } from './harness/challenge.ts'
import { CARDS, payWithCard } from './harness/card-form.ts'
import { expect, test } from './harness/fixtures.ts'
import { openHydrated } from './harness/hydration.ts'
import { READY_TIMEOUT_MS, startKaikei, type Kaikei, type Merchant } from './harness/program.ts'

// One server for both: it takes longer to start than a journey takes.
test.describe.configure({ mode: 'default' })

let kaikei: Kaikei
let stop: () => Promise<void>
/** Payments so far, each refunded in part: what a reconciliation finds on both sides. */
let paid = 0

test.beforeAll(async () => {
  test.setTimeout(READY_TIMEOUT_MS)
  ;({ kaikei, stop } = await startKaikei({ DEMO_LIVE: 'stripe', GATEWAY_TIMEOUT_MS: '10000' }))
})
test.afterAll(() => stop())

/** Runs a command of the operator beside the server, and answers what it printed. */
const runCommand = async (args: readonly string[], input = ''): Promise<string> => {
  const command = spawn(process.execPath, ['tools/run/kaikei.ts', ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: kaikei.environment,
  })
  command.stdin.end(input)
  const exit = new Promise<number | null>((resolve) => command.once('close', resolve))
  const printed = await text(command.stdout)
  expect([await exit, printed]).toEqual([0, printed])
  return printed
}

const double = async (path: string, body?: object, headers: Record<string, string> = {}): Promise<unknown> => {
  const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
  const address = `http://127.0.0.1:${kaikei.environment['SANDBOX_PORT']}${path}`
  const answer = await fetch(address, { headers: { 'content-type': 'application/json', ...headers }, ...sent })
  expect([answer.ok, address]).toEqual([true, address])
  return answer.json()
}

/** Opens a checkout of 1,980 yen, whose page says that nothing is real. */
const openCheckout = async (page: Page, shop: Merchant): Promise<string> => {
  const { id, url } = await shop.createCheckout({ subject: 'Sencha' })
  await lengthenCollectTimeout(page)
  await openHydrated(page, url)
  await expect(page.getByText('Test mode: only test cards are accepted and no money moves.')).toBeVisible()
  return id
}

/** The receipt says so too. */
const payWithChallenge = async (page: Page): Promise<void> => {
  await payWithCard(page, CARDS.challenged)
  await answerChallenge(page, '123456')
  await expect(page).toHaveURL(/\/complete$/)
  await expect(page.getByText('This is a test. No money has moved.')).toBeVisible()
  paid += 1
}

const hasRefunded = (shop: Merchant, checkoutId: string): Promise<void> =>
  expect
    .poll(async () => (await shop.readCheckout(checkoutId)).refundedAmount, { intervals: [100, 200, 300] })
    .toBe(500)

const reconcilesToZero = async (): Promise<void> => {
  const compared: unknown = JSON.parse(await runCommand(['reconcile', '--json']))
  expect(compared).toMatchObject({ isComplete: true, charges: paid, refunds: paid, breaks: [], unresolved: [] })
}

test('a live shop at the double of Stripe refuses a real number, is paid with a challenge, refunds a part, and the books agree', async ({
  page,
}) => {
  const shop = kaikei.merchantWith(kaikei.liveMerchantKey ?? '')
  const id = await openCheckout(page, shop)
  await payWithCard(page, '4539578763621486')
  await page.getByRole('button', { name: 'OK' }).click()
  await expect(page.getByText('Only test cards are accepted.', { exact: true })).toBeVisible()
  await payWithChallenge(page)
  await shop.refund(id, 500)
  await hasRefunded(shop, id)
  await reconcilesToZero()
})

const ADYEN = {
  merchantAccount: 'AoyamaTeaJP',
  apiKey: 'pretend_api_key',
  hmacKey: 'ab'.repeat(32),
  reportApiKey: 'pretend_report_key',
}
const { merchantAccount } = ADYEN

/** The demo's shop gets a live account at the double, whose notifications arrive, and a live key. */
const connectAdyen = async (): Promise<Merchant> => {
  const live = ['--merchant', 'demo', '--mode', 'live']
  const base = `http://127.0.0.1:${kaikei.environment['SANDBOX_PORT']}/adyen`
  const set = ['acquirer', 'set', ...live, '--kind', 'adyen', '--secret-file', '-', '--api-base', base]
  await runCommand(set, JSON.stringify(ADYEN))
  const { apiKey, hmacKey, reportApiKey: reportKey } = ADYEN
  const webhookUrl = `${new URL(kaikei.merchantApi).origin}/acquirer/adyen/demo/live`
  await double('/adyen/control/accounts', { merchantAccount, apiKey, reportKey, hmacKey, webhookUrl, live: true })
  // Changes nothing, and makes Adyen send a notification: the check asks whether one has arrived.
  await double('/adyen/v72/cancels', { merchantAccount, paymentReference: 'none' }, { 'x-api-key': apiKey })
  await deliver()
  const [made] = await Promise.all([
    runCommand(['key', 'create', ...live, '--access', 'full', '--json']),
    runCommand(['acquirer', 'check', ...live]),
  ])
  return kaikei.merchantWith((JSON.parse(made) as { key: string }).key)
}

const deliver = async (): Promise<void> => {
  expect(await double('/adyen/control/webhooks/deliver', { merchantAccount })).toMatchObject({ waiting: 0 })
}

const AT_ADYEN = 'a live shop at the double of Adyen is paid with a challenge, refunds a part, and the books agree'
test(AT_ADYEN, { tag: '@proof' }, async ({ page }) => {
  const shop = await connectAdyen()
  const id = await openCheckout(page, shop)
  await payWithChallenge(page)
  await shop.refund(id, 500)
  // Adyen tells by a notification alone how a refund has ended.
  await deliver()
  await hasRefunded(shop, id)
  // A report tells of what was settled before it.
  await double('/adyen/control/clock', { advanceMs: 60_000 })
  await double('/adyen/control/reports', { merchantAccount })
  await deliver()
  await reconcilesToZero()
})
