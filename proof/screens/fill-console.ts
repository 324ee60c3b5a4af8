/** Fills the demo shop for pictures of the console: payments of a month and of every kind, links, a key, webhooks, a reconciliation. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import type { Page } from '@playwright/test'
import { Type } from 'typebox'
import { Parse } from 'typebox/value'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/jst.ts'
import type { Kaikei } from '../../journeys/harness/program.ts'
import { DEMO_LABEL } from '../../server/demo/demo.ts'
import { text } from '../../server/store/engine/columns.ts'
import type { Database } from '../../server/store/engine/database.ts'
import { embeddedFile, openSqlite } from '../../server/store/engine/sqlite.ts'
import { moveCheckout } from '../filled-database/move-checkout.ts'
import { runCommand } from '../harness/run-command.ts'
import { isPaid, shopClient, type ShopClient } from '../harness/shop-client.ts'

/** Ids that the screens are opened with. */
export interface ConsoleFacts {
  /** Paid and refunded in part, with tax rates. */
  readonly paid: string
  readonly inDoubt: string
  readonly link: string
  readonly webhook: string
  readonly reconciliation: string
}

const VISA = '4100000000000100'
const CARDS = [VISA, '5100000000000107', VISA, '3528000000000106', '340000000000108', VISA, '36000000000008']
const DECLINED = '4100000000750001'
const NOT_AUTHENTICATED = '4100000000300005'
const SILENT = '4100000000754003'

const ITEMS = [
  ['煎茶「山霧」詰め合わせ', 4980],
  ['抹茶 40g', 2160],
  ['ほうじ茶ラテ 2杯', 1300],
  ['玉露「朝露」100g', 5400],
  ['茶器セット', 12_800],
  ['和紅茶ティーバッグ', 1080],
  ['茶の湯体験 お二人様', 9900],
] as const

/** Payments of each of the last days, today first. */
const BY_DAY = [4, 3, 5, 2, 0, 4, 6, 3, 2, 3, 1, 0, 5, 4, 2, 3, 2, 1, 4, 3, 0, 2, 3, 5, 2, 1, 3, 2]

/** What is paid came from another address each time: else the shop would take them for card testing. */
const addressOf = (place: number): string => `198.51.${100 + Math.floor(place / 200)}.${1 + (place % 200)}`

interface Filling {
  readonly shop: ShopClient
  readonly database: Database
  readonly merchantId: string
}

const payOne = async (
  { shop }: Filling,
  place: number,
  more: { readonly number?: string; readonly body?: object } = {},
): Promise<string> => {
  const [subject, amount] = ITEMS[place % ITEMS.length] ?? ITEMS[0]
  const checkoutId = await shop.create({ amount, subject, reference: `A-${1024 + place}`, ...more.body })
  const number = more.number ?? CARDS[place % CARDS.length] ?? VISA
  const end = await shop.payWhole(checkoutId, { number, from: addressOf(place), email: `guest${place}@example.com` })
  if (more.number === undefined && !isPaid(end)) throw new Error(`${end.call} ${end.answer.text}`)
  return checkoutId
}

/** A mail of another day would be given up as too old: all are sent before their checkouts are moved. */
const whenMailed = async ({ database }: Filling): Promise<void> => {
  while ((await database.rows("SELECT id FROM mails WHERE state IN ('waiting', 'sending') LIMIT 1")).length > 0)
    await wait(200)
}

const payMonth = async (filling: Filling): Promise<void> => {
  const made: { readonly checkoutId: string; readonly ago: number }[] = []
  for (const [day, payments] of BY_DAY.entries())
    for (let nth = 0; nth < payments; nth += 1)
      made.push({
        checkoutId: await payOne(filling, made.length),
        // Today's are of this hour: midnight in Japan may be less than an hour ago.
        ago: day * DAY_MS + (day === 0 ? 0 : nth * HOUR_MS),
      })
  for (const [nth, number] of [DECLINED, NOT_AUTHENTICATED, DECLINED, DECLINED].entries())
    made.push({ checkoutId: await payOne(filling, 200 + nth, { number }), ago: (1 + nth * 2) * DAY_MS })
  const validUntil = new Date(Date.now() + DAY_MS).toISOString()
  for (const ago of [2 * DAY_MS, 3 * DAY_MS])
    made.push({ checkoutId: await filling.shop.create({ amount: 5400, subject: ITEMS[3][0], validUntil }), ago })
  await whenMailed(filling)
  for (const { checkoutId, ago } of made)
    await moveCheckout(filling.database, { merchantId: filling.merchantId, checkoutId }, ago)
}

/** No answer came, and the acquirer is not asked again while the pictures are taken. */
const leaveInDoubt = async (filling: Filling): Promise<string> => {
  const checkoutId = await payOne(filling, 300, { number: SILENT })
  // The record holds it too. More than an hour ahead would be due at once.
  await filling.database.rows(
    `UPDATE attempts SET due_at = due_at + $1,
       details = replace(details, CAST(due_at AS TEXT), CAST(due_at + $1 AS TEXT)) WHERE checkout_id = $2`,
    40 * MINUTE_MS,
    checkoutId,
  )
  return checkoutId
}

const idOf = async (call: ReturnType<ShopClient['merchant']>): Promise<string> => {
  const { status, body, text: answer } = await call
  if (status >= 300) throw new Error(answer)
  return String(body['id'])
}

const makeLinks = async ({ shop }: Filling): Promise<string> => {
  const make = (body: object): Promise<string> => idOf(shop.merchant('POST', '/links', body))
  const full = await make({ amount: 1300, subject: 'ほうじ茶ラテ（店頭POP）' })
  const off = await make({ amount: 3300, subject: '新茶の会 参加費', maxPayments: 20 })
  await idOf(shop.merchant('PATCH', `/links/${off}`, { enabled: false }))
  await make({ amountRange: { min: 500, max: 10_000 }, subject: '茶畑の保全への寄付', validUntil: '2027-03-31' })
  return full
}

const Listed = Type.Object({ items: Type.Array(Type.Object({ id: Type.String() })) })

const command = async (kaikei: Kaikei, ...args: readonly string[]): Promise<void> => {
  const env = { ...kaikei.environment, KAIKEI_URL: kaikei.merchantApi, KAIKEI_KEY: kaikei.merchantKey }
  const { code, errors } = await runCommand(args, env)
  if (code === 2) throw new Error(`${args.join(' ')}: ${errors.join(' ')}`)
}

/** What the owner does in the console: the audit list shows it. */
const actAsOwner = (page: Page): Promise<void> =>
  page.evaluate(async (mode) => {
    const send = async (path: string, body: object): Promise<void> => {
      const headers = { merchant: 'demo', mode, 'content-type': 'application/json' }
      const answer = await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) })
      if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`)
    }
    await send('/console/v1/keys', { name: 'Online shop', access: 'sales', mode })
    await send('/console/v1/invitations', { email: 'sato@aoyama-tea.example', role: 'staff', locale: 'ja' })
    await send('/merchant/v1/checkouts', { amount: 4980, subject: '煎茶「山霧」詰め合わせ' })
  }, 'test')

/** `stop` ends the shop's own server, which takes the webhooks of one endpoint and refuses those of another. */
export const fillConsole = async (
  kaikei: Kaikei,
  page: Page,
): Promise<{ readonly facts: ConsoleFacts; stop(): Promise<void> }> => {
  const receiver = createServer((request, response) => {
    response.statusCode = request.url === '/orders' ? 200 : 503
    response.end(request.url === '/orders' ? 'ok' : 'down for maintenance')
  }).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const address = receiver.address()
  const at = typeof address === 'object' && address !== null ? `http://127.0.0.1:${address.port}` : ''
  const database = openSqlite(embeddedFile(String(kaikei.environment['DATA_DIR'])), null)
  try {
    const [row = {}] = await database.rows('SELECT id FROM merchants WHERE label = $1', DEMO_LABEL)
    const shop = shopClient(Number(new URL(kaikei.merchantApi).port), kaikei.merchantKey)
    const filling = { shop, database, merchantId: text(row, 'id') }
    await payMonth(filling)
    const link = await makeLinks(filling)
    await kaikei.registerWebhook(`${at}/orders`)
    const { id: webhook } = await kaikei.registerWebhook(`${at}/stock`)
    const taxes = [
      { rate: 8, amount: 4980 },
      { rate: 10, amount: 5500 },
    ]
    const paid = await payOne(filling, 400, { body: { amount: 10_480, subject: '煎茶と茶器の詰め合わせ', taxes } })
    const refund = { refundId: 'cracked-cup', amount: 1100, taxes: [{ rate: 10, amount: 1100 }] }
    await idOf(shop.merchant('POST', `/checkouts/${paid}/refunds`, refund))
    const disputed = await payOne(filling, 401)
    await command(kaikei, 'sandbox', 'dispute', disputed)
    await command(kaikei, 'reconcile')
    const inDoubt = await leaveInDoubt(filling)
    await actAsOwner(page)
    const { items } = Parse(Listed, (await shop.merchant('GET', '/reconciliations')).body)
    await command(kaikei, 'figures', 'rebuild')
    return {
      facts: { paid, inDoubt, link, webhook, reconciliation: items[0]?.id ?? '' },
      stop: async () => {
        receiver.close()
        receiver.closeAllConnections()
        await once(receiver, 'close')
      },
    }
  } finally {
    await database.close()
  }
}
