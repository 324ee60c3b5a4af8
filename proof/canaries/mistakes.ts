import { MERCHANT_HEADER, SHOPPER_BASE } from '#contract/paths.ts'
import { DEMO_LABEL } from '../../server/demo/demo.ts'
import type { Canary } from './canary.ts'
import type { Mistakes } from './mistake.ts'
import { BY_BROWSERS, BY_MERCHANTS, IN_ADDRESSES } from './mistakes-elsewhere.ts'
import { AT_PAY, AT_START } from './mistakes-with-cards.ts'
import { cardOf, open, type Flow } from './shopper.ts'

const flowsOf = ({ prepare, mistakes }: Mistakes): Flow[] =>
  mistakes.map(([name, status, request]) => ({
    name: `holds ${name}`,
    ends: String(status),
    run: async (world, canary) => String((await world.client.send(request(await prepare(world, canary)))).status),
  }))

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
    `POST ${SHOPPER_BASE}/checkouts/${checkoutId}/3ds HTTP/1.1`,
    'Host: localhost',
    `${MERCHANT_HEADER}: ${DEMO_LABEL}`,
    'Content-Type: application/json',
    'Content-Length: 5000',
    '',
    JSON.stringify({ card: cardOf(canary) }),
  ].join('\r\n')

export const MISTAKES: readonly Flow[] = [
  ...[AT_START, AT_PAY, IN_ADDRESSES, BY_MERCHANTS, BY_BROWSERS].flatMap(flowsOf),
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
