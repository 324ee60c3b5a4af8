/** Misplaced cards in what shoppers, browsers and banks send: the start call, the pay call, URLs, headers and reports. */
import { MERCHANT_HEADER, SHOPPER_BASE } from '#contract/paths.ts'
import { DEMO_LABEL } from '../../server/demo/demo.ts'
import { SCREEN } from '../harness/simulated-browser.ts'
import { groupInFours, toFullWidth } from './canary.ts'
import type { HttpRequest } from './http-client.ts'
import { misplaced, whileCollecting, withCardHeld, withOpenCheckout, type MisplacedCard } from './misplaced-card.ts'
import { cardFields, payRequest, SHOPPER_HEADERS, SHOPPER_JSON_HEADERS } from './shopper-requests.ts'

type Headers = Readonly<Record<string, string>>

const startRequest = (body: string, { checkoutId }: MisplacedCard, headers: Headers = {}): HttpRequest => ({
  method: 'POST',
  path: `${SHOPPER_BASE}/checkouts/${checkoutId}/3ds`,
  headers: { ...SHOPPER_JSON_HEADERS, ...headers },
  body,
})

const wrongCheckDigit = (number: string): string => `${number.slice(0, -1)}${(Number(number.at(-1)) + 1) % 10}`

const startJson = (context: MisplacedCard, changes: object = {}): string =>
  JSON.stringify({ card: { ...cardFields(context.canary), ...changes } })

const IN_CARD_FIELDS = misplaced<object>(
  withOpenCheckout,
  (changes, context) => startRequest(startJson(context, changes), context),
  [
    ['the number as the name', 400, ({ number }) => ({ name: number })],
    ['the number behind the name', 400, ({ number }) => ({ name: `TARO ${groupInFours(number, ' ')}` })],
    ['the number as a mailbox', 400, ({ number }) => ({ email: `${number}@example.com` })],
    ['the number as a mailbox, dotted', 400, ({ number }) => ({ email: `${groupInFours(number, '.')}@example.com` })],
    ['the number for the address', 400, ({ number }) => ({ email: number })],
    ['the number as a number', 400, ({ number }) => ({ number: Number(number) })],
    ['the number grouped', 400, ({ number }) => ({ number: groupInFours(number, ' ') })],
    ['the number in full width', 400, ({ number }) => ({ number: toFullWidth(number) })],
    ['the number twice', 400, ({ number }) => ({ number: number.repeat(2) })],
    ['the number with a wrong digit', 402, ({ number }) => ({ number: wrongCheckDigit(number) })],
    ['the number in a list', 400, ({ number }) => ({ number: [number] })],
    ['the number for the code', 400, ({ number }) => ({ cvc: number })],
    ['the code as a number', 400, ({ cvc }) => ({ cvc: Number(cvc) })],
    ['the code behind the number', 400, ({ number, cvc }) => ({ number: `${number}${cvc}` })],
    ['the number for the month', 400, ({ number }) => ({ expiryMonth: Number(number) })],
    ['the number for the year', 400, ({ number }) => ({ expiryYear: number })],
    ['a card that has expired', 400, () => ({ expiryYear: 2001 })],
    ['a field too many', 400, ({ number, cvc }) => ({ pan: number, securityCode: cvc })],
    ['the number as a field', 400, ({ number, cvc }) => ({ [number]: cvc })],
    ['the number as a field, grouped', 400, ({ number }) => ({ [groupInFours(number, '/')]: 1 })],
    ['the code as a field', 400, ({ cvc }) => ({ [cvc]: 1 })],
  ],
)

const IN_START_BODY = misplaced<string>(withOpenCheckout, startRequest, [
  ['the number for the card', 400, ({ number }) => JSON.stringify({ card: number })],
  ['the card in a list', 400, ({ canary }) => JSON.stringify([cardFields(canary)])],
  ['the number alone', 400, ({ number }) => number],
  ['the number in quotes alone', 400, ({ number }) => JSON.stringify(number)],
  ['JSON without an end', 400, (card) => startJson(card).slice(0, -2)],
  ['JSON with a rest', 400, (card) => `${startJson(card)} ${card.number}`],
  ['a code that is no JSON', 400, ({ number, cvc }) => `{"card":{"number":"${number}","cvc":${cvc}}}`],
  ['a prototype', 400, ({ number }) => `{"__proto__":{"number":"${number}"}}`],
  ['too much', 413, ({ canary, number }) => JSON.stringify({ card: cardFields(canary), fill: number.repeat(5000) })],
])

const FORM = 'application/x-www-form-urlencoded'

const IN_START_HEADERS = misplaced<readonly [body: string, headers: Headers]>(
  withOpenCheckout,
  ([body, headers], context) => startRequest(body, context, headers),
  [
    ['plain text', 415, ({ number }) => [number, { 'content-type': 'text/plain' }]],
    ['a form', 415, ({ number, cvc }) => [`number=${number}&cvc=${cvc}`, { 'content-type': FORM }]],
    ['a type named after it', 415, ({ number }) => ['{}', { 'content-type': `text/${number}` }]],
    ['a merchant named after it', 404, (card) => [startJson(card), { [MERCHANT_HEADER]: card.number }]],
  ],
)

const IN_PAY_BODY = misplaced<object>(
  withCardHeld,
  (changes, context) => payRequest(context.canary, context, changes),
  [
    ['the number as the language', 200, ({ number }) => ({ locale: number })],
    ['the number as a mailbox of the receipt', 400, ({ number }) => ({ receiptEmail: `${number}@example.com` })],
    [
      'the number as a mailbox of the receipt, dashed',
      400,
      ({ number }) => ({ receiptEmail: `${groupInFours(number, '-')}@example.com` }),
    ],
    ['the number for the receipt', 400, ({ number }) => ({ receiptEmail: number })],
    ['the number for the code of the payment', 400, ({ number }) => ({ cvc: number })],
    ['the whole card again', 400, ({ canary }) => ({ card: cardFields(canary) })],
    ['no address and the number too many', 400, ({ number }) => ({ receiptEmail: undefined, number })],
  ],
)

const IN_PAY_HEADERS = misplaced<Headers>(
  withCardHeld,
  (headers, context) => ({
    ...payRequest(context.canary, context),
    headers: { ...SHOPPER_JSON_HEADERS, ...headers },
  }),
  [
    [
      'the number in the headers',
      200,
      ({ number, cvc }) => ({
        'user-agent': number,
        'x-request-id': number,
        cookie: `n=${number}; cvc=${cvc}`,
        referer: `https://x.example/?n=${number}`,
        traceparent: `00-${number.padStart(32, '0')}-00f067aa0ba902b7-01`,
      }),
    ],
  ],
)

const get = (path: string, headers: Headers = SHOPPER_HEADERS): HttpRequest => ({ method: 'GET', path, headers })
const page = ({ port }: MisplacedCard, path: string, headers: Headers = {}): HttpRequest =>
  get(path, { host: `${DEMO_LABEL}.localhost:${port}`, ...headers })
const inQuery = ({ number, cvc }: MisplacedCard): string => `?number=${number}&cvc=${cvc}`

const IN_URLS_AND_HEADERS = misplaced<HttpRequest>(withOpenCheckout, (request) => request, [
  ['the number for a checkout', 404, ({ number }) => get(`${SHOPPER_BASE}/checkouts/${number}`)],
  ['the number for an order', 409, (card) => payRequest(card.canary, { ...card, orderCode: card.number })],
  [
    'the number for an order to authenticate',
    409,
    ({ number }) => ({ ...get(`${SHOPPER_BASE}/3ds/${number}/authenticate`), method: 'PATCH' }),
  ],
  ['the number for a call', 405, ({ number, cvc }) => get(`${SHOPPER_BASE}/${number}/${cvc}`)],
  ['the number for a page', 404, (card) => page(card, `/${card.number}`)],
  ['the number for a card page', 404, (card) => page(card, `/${card.number}/creditcard`)],
  ['the number for a file', 404, ({ number }) => get(`/assets/${number}.js`)],
  ['the number behind a broken address', 303, ({ number }) => get(`/%zz${number}`)],
  ['the number behind a broken call', 404, ({ number }) => get(`${SHOPPER_BASE}/checkouts/%zz${number}`)],
  [
    'the number in the query of a call',
    200,
    (card) => get(`${SHOPPER_BASE}/checkouts/${card.checkoutId}${inQuery(card)}`),
  ],
  ['the number in the query of a link', 303, (card) => page(card, `/${card.checkoutId}${inQuery(card)}`)],
  [
    'the number in the query of a link, grouped',
    303,
    (card) => page(card, `/${card.checkoutId}?number=${groupInFours(card.number, '%20')}`),
  ],
  [
    'the number in the query of the card page',
    200,
    (card) => page(card, `/${card.checkoutId}/creditcard${inQuery(card)}`),
  ],
  ['the number in the query of a preview', 200, (card) => page(card, `/preview${inQuery(card)}`)],
  [
    'the number for the subject of a preview',
    200,
    (card) => ({ ...page(card, `/preview?subject=${card.number}&remarks=${card.cvc}`), showsItsUrl: true }),
  ],
  [
    'the number for a host',
    404,
    ({ number, port, checkoutId }) => get(`/${checkoutId}/complete/x`, { host: `${number}.localhost:${port}` }),
  ],
  [
    'the number for a language',
    200,
    (card) =>
      page(card, `/${card.checkoutId}/creditcard`, { 'accept-language': card.number, 'user-agent': card.number }),
  ],
  ['the number in the query of the health check', 200, ({ number }) => get(`/healthz?number=${number}`)],
])

/** A request to the bridge, on its own host. */
const bridge = (card: MisplacedCard, path: string, type: string, body: string, headers: Headers = {}): HttpRequest => ({
  method: 'POST',
  path,
  headers: { host: `3ds.localhost:${card.port}`, 'content-type': type, ...headers },
  body,
})

const browserFacts = (card: MisplacedCard, screen: object, headers: Headers = {}): HttpRequest =>
  bridge(card, `/collect/${card.ticket}/browser`, 'application/json', JSON.stringify(screen), headers)

const report = (type: string, body: object): HttpRequest => ({
  method: 'POST',
  path: '/csp-report',
  headers: { 'content-type': type },
  body: JSON.stringify(body),
})

const IN_BROWSER_REPORTS = misplaced<HttpRequest>(whileCollecting, (request) => request, [
  [
    'a browser named after it',
    204,
    (card) =>
      browserFacts(card, SCREEN, {
        'user-agent': `Phone ${card.number}`,
        accept: card.number,
        'accept-language': card.number,
      }),
  ],
  ['a browser whose language it is', 400, (card) => browserFacts(card, { ...SCREEN, language: card.number })],
  [
    'an event named after it',
    200,
    (card) =>
      bridge(
        card,
        `/events/${card.ticket}`,
        FORM,
        `requestorTransId=${card.session}&event=${card.number}&cvc=${card.cvc}`,
      ),
  ],
  ['a ticket named after it', 404, (card) => bridge(card, `/events/${card.number}`, FORM, `event=x`)],
  [
    'a report of a blocked address',
    204,
    ({ number, cvc }) =>
      report('application/csp-report', {
        'csp-report': {
          'effective-directive': 'img-src',
          'blocked-uri': `https://x.example/${number}?cvc=${cvc}`,
          'document-uri': number,
        },
      }),
  ],
  [
    'a report of a directive named after it',
    204,
    ({ number }) => report('application/reports+json', [{ body: { effectiveDirective: number } }]),
  ],
])

export const IN_SHOPPER_CALLS = [
  ...IN_CARD_FIELDS,
  ...IN_START_BODY,
  ...IN_START_HEADERS,
  ...IN_PAY_BODY,
  ...IN_PAY_HEADERS,
  ...IN_URLS_AND_HEADERS,
  ...IN_BROWSER_REPORTS,
]
