import type { Canary } from './canary.ts'
import type { Facts, Mistake } from './mistake.ts'
import { BY_BROWSERS, BY_MERCHANTS, IN_ADDRESSES } from './mistakes-elsewhere.ts'
import { AT_PAY, AT_START } from './mistakes-with-cards.ts'
import { cardOf, open, prepare, start, type Flow } from './shopper.ts'

const flowOf = ([name, status, request]: Mistake): Flow => ({
  name: `holds ${name}`,
  ends: String(status),
  run: async (world, canary) => {
    const isPaying = AT_PAY.some(([each]) => each === name)
    const order = isPaying ? await prepare(world, canary) : { checkoutId: await open(world, canary), orderCode: '' }
    const needsTicket = BY_BROWSERS.some(([each]) => each === name)
    const { collectUrl = '' } = needsTicket ? await start(world, canary, order.checkoutId) : {}
    const ticket = collectUrl.split('/').at(-1) ?? ''
    const [row] = await world.database.rows('SELECT session FROM authentications WHERE ticket = $1', ticket)
    const session = /"requestorTransId":"([^"]*)"/.exec(String(row?.['session']))?.[1] ?? ''
    const facts: Facts = { ...order, canary, port: world.port, key: world.merchantKey, ticket, session }
    return String((await world.client.send(request(facts))).status)
  },
})

const raw = (
  name: string,
  status: number,
  bytes: (canary: Canary, checkoutId: string) => string,
  end: 'wait for an answer' | 'cut off',
): Flow => ({
  name: `holds ${name}`,
  ends: String(status),
  run: async (world, canary) =>
    String((await world.client.sendRaw(bytes(canary, await open(world, canary)), end)).status),
})

export const halfABody = (canary: Canary, checkoutId: string): string =>
  [
    `POST /api/v1/checkouts/${checkoutId}/3ds HTTP/1.1`,
    'Host: localhost',
    'Merchant: demo',
    'Content-Type: application/json',
    'Content-Length: 5000',
    '',
    JSON.stringify({ card: cardOf(canary) }),
  ].join('\r\n')

export const MISTAKES: readonly Flow[] = [
  ...[...AT_START, ...AT_PAY, ...IN_ADDRESSES, ...BY_MERCHANTS, ...BY_BROWSERS].map(flowOf),
  raw('a body that is cut off', 0, halfABody, 'cut off'),
  raw('no request at all', 400, ({ number }) => `${number}\r\n\r\n`, 'wait for an answer'),
  raw(
    'an unknown method',
    400,
    ({ number }) => `PAY${number} / HTTP/1.1\r\nHost: localhost\r\n\r\n`,
    'wait for an answer',
  ),
  raw(
    'a header without end',
    414,
    ({ number }) => `GET /?n=${number.repeat(4000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`,
    'wait for an answer',
  ),
  raw(
    'a chunk that is none',
    400,
    ({ number }) => `POST /csp-report HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n${number}zz\r\n`,
    'wait for an answer',
  ),
]
