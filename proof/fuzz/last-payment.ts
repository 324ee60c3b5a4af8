/** Last payment of the fuzz proof: a shopper pays as if nothing had happened. */
import { setTimeout as wait } from 'node:timers/promises'
import { keptConnection } from './connection.ts'
import { bytesOf, type FuzzRequest, type FuzzSite } from './fuzz-request.ts'
import { isRecord } from '../../tools/is-record.mjs'

/** Of a card that no fuzzed request has used, from an address of its own. */
const CARD = {
  number: '5100000000000107',
  expiryMonth: 12,
  expiryYear: 2099,
  cvc: '737',
  email: 'taro@example.com',
  name: 'TARO YAMADA',
}
const ADDRESS = '203.0.113.7'

const TOO_MANY = 429
/** What was fuzzed may have used up a limit of the merchant, which is over in a while. */
const LIMIT_RETRIES = 24
const LIMIT_RETRY_MS = 5000

interface CallAnswer {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

/** Undefined: paid. Otherwise what was answered instead. */
export const payOnce = async (site: FuzzSite): Promise<string | undefined> => {
  const connection = keptConnection(site.port)
  const call = async (
    method: string,
    target: string,
    own: Readonly<Record<string, string>>,
    body: object,
  ): Promise<CallAnswer> => {
    const headers = { host: site.base, 'x-forwarded-for': ADDRESS, 'content-type': 'application/json', ...own }
    const request: FuzzRequest = { method, target, headers, body: JSON.stringify(body) }
    for (let tries = 0; ; tries += 1) {
      const exchange = await connection.send(bytesOf(request), false)
      if (exchange.outcome !== 'answered') return { status: 0, body: { outcome: exchange.outcome } }
      const { status, body: text } = exchange.answer
      const value: unknown = JSON.parse(text)
      if (status !== TOO_MANY || tries >= LIMIT_RETRIES) return { status, body: isRecord(value) ? value : {} }
      await wait(LIMIT_RETRY_MS)
    }
  }
  const shopper = { merchant: site.merchant }
  const created = await call(
    'POST',
    '/merchant/v1/checkouts',
    { authorization: `Bearer ${site.key}` },
    { amount: 1980 },
  )
  const checkout = `/api/v1/checkouts/${String(created.body['id'])}`
  const started = await call('POST', `${checkout}/3ds`, shopper, { card: CARD })
  const order = String(started.body['orderCode'])
  const authenticated = await call('PATCH', `/api/v1/3ds/${order}/authenticate`, shopper, {})
  const receipt = { cvc: CARD.cvc, locale: 'ja_JP', receiptEmail: CARD.email }
  const paid = await call('PATCH', `${checkout}/3ds/${order}/pay`, shopper, receipt)
  connection.close()
  if (paid.body['status'] === 'paid') return undefined
  return [created, started, authenticated, paid]
    .map(({ status, body }) => `${status} ${JSON.stringify(body)}`)
    .join(', ')
}
