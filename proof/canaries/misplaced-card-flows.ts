import { MERCHANT_HEADER, SHOPPER_BASE } from '#contract/paths.ts'
import { DEMO_LABEL } from '../../server/demo/demo.ts'
import type { Canary } from './canary.ts'
import type { MisplacedCards } from './misplaced-card-data.ts'
import { IN_BROWSER_REPORTS } from './misplaced-in-browser-reports.ts'
import { IN_MERCHANT_CALLS, IN_URLS_AND_HEADERS } from './misplaced-in-other-calls.ts'
import { IN_PICTURES } from './misplaced-in-pictures.ts'
import { IN_PAY_CALL, IN_START_CALL } from './misplaced-in-payment-calls.ts'
import { IN_SETTINGS } from './misplaced-in-settings.ts'
import { cardFields, createCheckout, type Flow } from './shopper-requests.ts'

const toFlows = ({ prepare, requests }: MisplacedCards): Flow[] =>
  requests.map(([name, status, request]) => ({
    name: `holds ${name}`,
    expected: String(status),
    run: async (context, canary) => String((await context.client.send(request(await prepare(context, canary)))).status),
  }))

const rawRequestFlow = (
  name: string,
  status: number,
  bytes: (canary: Canary, checkoutId: string) => string,
  end: 'wait for an answer' | 'cut off',
): Flow => ({
  name: `holds ${name}`,
  expected: String(status),
  run: async (context, canary) =>
    String((await context.client.sendRaw(bytes(canary, await createCheckout(context, canary)), end)).status),
})

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

/** Misplaced card flows: each sends a card number or a security code where it does not belong. */
export const MISPLACED_CARD_FLOWS: readonly Flow[] = [
  ...[
    IN_START_CALL,
    IN_PAY_CALL,
    IN_URLS_AND_HEADERS,
    IN_MERCHANT_CALLS,
    IN_SETTINGS,
    IN_PICTURES,
    IN_BROWSER_REPORTS,
  ].flatMap(toFlows),
  rawRequestFlow('a body that is cut off', 0, incompleteStartRequest, 'cut off'),
  rawRequestFlow('no request at all', 400, ({ number }) => `${number}\r\n\r\n`, 'wait for an answer'),
  rawRequestFlow(
    'an unknown method',
    400,
    ({ number }) => `PAY${number} / HTTP/1.1\r\nHost: localhost\r\n\r\n`,
    'wait for an answer',
  ),
  rawRequestFlow(
    'a header without end',
    414,
    ({ number }) => `GET /?n=${number.repeat(4000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`,
    'wait for an answer',
  ),
  rawRequestFlow(
    'a chunk that is none',
    400,
    ({ number }) => `POST /csp-report HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n${number}zz\r\n`,
    'wait for an answer',
  ),
]
