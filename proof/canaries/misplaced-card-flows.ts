/** Misplaced card flows: every flow that sends a card number or a security code where it does not belong. */
import { MERCHANT_HEADER, SHOPPER_BASE } from '#contract/paths.ts'
import { DEMO_LABEL } from '../../server/demo/demo.ts'
import type { Canary } from './canary.ts'
import { IN_MERCHANT_CALLS } from './misplaced-in-merchant-calls.ts'
import { IN_SHOPPER_CALLS } from './misplaced-in-shopper-calls.ts'
import { canaryShopper, cardFields, type Flow } from './shopper-requests.ts'

/** A start call whose body ends before its content length. */
export const incompleteStartRequest = (canary: Canary, checkoutId: string): string =>
  [
    `POST ${SHOPPER_BASE}/checkouts/${checkoutId}/3ds HTTP/1.1`,
    'Host: localhost',
    `${MERCHANT_HEADER}: ${DEMO_LABEL}`,
    'Content-Type: application/json',
    'Content-Length: 5000',
    '',
    JSON.stringify({ card: cardFields(canary) }),
  ].join('\r\n')

type RawRow = readonly [name: string, status: number, bytes: (canary: Canary, checkoutId: string) => string]

/** Status 0: the sender cuts the connection and reads no answer. */
const RAW_REQUESTS: readonly RawRow[] = [
  ['a body that is cut off', 0, incompleteStartRequest],
  ['no request at all', 400, ({ number }) => `${number}\r\n\r\n`],
  ['an unknown method', 400, ({ number }) => `PAY${number} / HTTP/1.1\r\nHost: localhost\r\n\r\n`],
  ['a header without end', 414, ({ number }) => `GET /?n=${number.repeat(4000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`],
  [
    'a chunk that is none',
    400,
    ({ number }) => `POST /csp-report HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n${number}zz\r\n`,
  ],
]

export const MISPLACED_CARD_FLOWS: readonly Flow[] = [
  ...IN_SHOPPER_CALLS,
  ...IN_MERCHANT_CALLS,
  ...RAW_REQUESTS.map(([name, status, bytes]): Flow => ({
    name: `holds ${name}`,
    expected: String(status),
    run: async (context, canary) => {
      const checkoutId = await canaryShopper(context, canary).createCheckout()
      const end = status === 0 ? 'cut off' : 'wait for an answer'
      return String((await context.client.sendRaw(bytes(canary, checkoutId), end)).status)
    },
  })),
]
