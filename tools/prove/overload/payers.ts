/** Payers of the overload proof: pay one checkout after another over HTTP, and time every pay call. */
import { request } from 'node:http'
import { json } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { isRecord } from '../../is-record.mjs'

const CARD = {
  // Not enrolled in 3-D Secure, which the demo merchant allows: start and pay, no frames.
  number: '5105105105105100',
  expiryMonth: 12,
  expiryYear: 2099,
  cvc: '737',
  email: 'taro@example.com',
  name: 'TARO YAMADA',
}
/** A key makes 100 creations a second; the payers are faster. */
const TOO_MANY = 429
const CALL_TIMEOUT_MS = 60_000

interface Call {
  readonly method: 'GET' | 'POST' | 'PATCH'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: object
}

interface ApiAnswer {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

const send = (port: number, { method, path, headers, body }: Call): Promise<ApiAnswer> =>
  new Promise((resolve, reject) => {
    const call = request(
      {
        host: '127.0.0.1',
        port,
        method,
        path,
        headers: { 'content-type': 'application/json', ...headers },
        agent: false,
      },
      (response) => {
        json(response).then((value) => {
          resolve({ status: response.statusCode ?? 0, body: isRecord(value) ? value : {} })
        }, reject)
      },
    )
    call.setTimeout(CALL_TIMEOUT_MS, () => call.destroy(new Error(`no answer to ${method} ${path}`)))
    call.on('error', reject)
    call.end(body === undefined ? undefined : JSON.stringify(body))
  })

export interface PaymentTimes {
  readonly payMs: readonly number[]
  /** Payments that did not end paid, as what they answered. */
  readonly failures: readonly string[]
}

/** Pays until the time is up. Every checkout must end paid: nothing of a payment is shed. */
export const payUntil = async (port: number, key: string, untilMs: number, payers: number): Promise<PaymentTimes> => {
  const payMs: number[] = []
  const failures: string[] = []
  const merchant = { host: `localhost:${port}`, authorization: `Bearer ${key}` }
  const shopper = { host: `demo.localhost:${port}`, merchant: 'demo' }
  const payOne = async (): Promise<void> => {
    const create = () =>
      send(port, { method: 'POST', path: '/merchant/v1/checkouts', headers: merchant, body: { amount: 1980 } })
    let created = await create()
    for (; created.status === TOO_MANY; created = await create()) await wait(100)
    const path = `/api/v1/checkouts/${String(created.body['id'])}`
    const started = await send(port, { method: 'POST', path: `${path}/3ds`, headers: shopper, body: { card: CARD } })
    const pay = { cvc: CARD.cvc, locale: 'ja_JP', receiptEmail: CARD.email }
    const began = performance.now()
    const paid = await send(port, {
      method: 'PATCH',
      path: `${path}/3ds/${String(started.body['orderCode'])}/pay`,
      headers: shopper,
      body: pay,
    })
    payMs.push(performance.now() - began)
    if (paid.body['status'] !== 'paid')
      failures.push(
        `create ${created.status}, start ${started.status}, pay ${paid.status}: ${JSON.stringify(paid.body)}`,
      )
  }
  const payRepeatedly = async (): Promise<void> => {
    while (performance.now() < untilMs) await payOne().catch((error: unknown) => failures.push(String(error)))
  }
  await Promise.all(Array.from({ length: payers }, payRepeatedly))
  return { payMs, failures }
}
