import { MERCHANT_BASE, SHOPPER_BASE } from '#contract/paths.ts'
import { DEMO_LABEL } from '../../server/demo/demo.ts'
import { groupInFours } from './canary.ts'
import type { HttpRequest } from './http-client.ts'
import { withOpenCheckout, type MisplacedCards, type RequestContext } from './misplaced-card-data.ts'
import { JSON_HEADERS, payRequest, SHOPPER_HEADERS } from './shopper-requests.ts'

const getRequest = (path: string, headers: Record<string, string> = SHOPPER_HEADERS): HttpRequest => ({
  method: 'GET',
  path,
  headers,
})
const pageRequest = ({ port }: RequestContext, path: string, headers: Record<string, string> = {}): HttpRequest =>
  getRequest(path, { host: `${DEMO_LABEL}.localhost:${port}`, ...headers })

/** Misplaced card data in URLs and headers. */
export const IN_URLS_AND_HEADERS: MisplacedCards = {
  prepare: withOpenCheckout,
  requests: [
    ['the number for a checkout', 404, ({ canary }) => getRequest(`${SHOPPER_BASE}/checkouts/${canary.number}`)],
    [
      'the number for an order',
      409,
      (context) => payRequest(context.canary, { ...context, orderCode: context.canary.number }),
    ],
    [
      'the number for an order to authenticate',
      409,
      ({ canary }) => ({
        method: 'PATCH',
        path: `${SHOPPER_BASE}/3ds/${canary.number}/authenticate`,
        headers: SHOPPER_HEADERS,
      }),
    ],
    ['the number for a call', 405, ({ canary }) => getRequest(`${SHOPPER_BASE}/${canary.number}/${canary.cvc}`)],
    ['the number for a page', 404, (context) => pageRequest(context, `/${context.canary.number}`)],
    ['the number for a card page', 404, (context) => pageRequest(context, `/${context.canary.number}/creditcard`)],
    ['the number for a file', 404, ({ canary }) => getRequest(`/assets/${canary.number}.js`)],
    ['the number behind a broken address', 303, ({ canary }) => getRequest(`/%zz${canary.number}`)],
    [
      'the number behind a broken call',
      404,
      ({ canary }) => getRequest(`${SHOPPER_BASE}/checkouts/%zz${canary.number}`),
    ],
    [
      'the number in the query of a call',
      200,
      ({ canary, checkoutId }) =>
        getRequest(`${SHOPPER_BASE}/checkouts/${checkoutId}?number=${canary.number}&cvc=${canary.cvc}`),
    ],
    [
      'the number in the query of a link',
      303,
      (context) =>
        pageRequest(context, `/${context.checkoutId}?number=${context.canary.number}&cvc=${context.canary.cvc}`),
    ],
    [
      'the number in the query of a link, grouped',
      303,
      (context) => pageRequest(context, `/${context.checkoutId}?number=${groupInFours(context.canary.number, '%20')}`),
    ],
    [
      'the number in the query of the card page',
      200,
      (context) =>
        pageRequest(
          context,
          `/${context.checkoutId}/creditcard?number=${context.canary.number}&cvc=${context.canary.cvc}`,
        ),
    ],
    [
      'the number in the query of a preview',
      200,
      (context) => pageRequest(context, `/preview?number=${context.canary.number}&cvc=${context.canary.cvc}`),
    ],
    [
      'the number for the subject of a preview',
      200,
      (context) => ({
        ...pageRequest(context, `/preview?subject=${context.canary.number}&remarks=${context.canary.cvc}`),
        showsItsUrl: true,
      }),
    ],
    [
      'the number for a host',
      404,
      ({ canary, port, checkoutId }) =>
        getRequest(`/${checkoutId}/complete/x`, { host: `${canary.number}.localhost:${port}` }),
    ],
    [
      'the number for a language',
      200,
      (context) =>
        pageRequest(context, `/${context.checkoutId}/creditcard`, {
          'accept-language': context.canary.number,
          'user-agent': context.canary.number,
        }),
    ],
    [
      'the number in the query of the health check',
      200,
      ({ canary }) => getRequest(`/healthz?number=${canary.number}`),
    ],
  ],
}

const createCheckoutRequest = ({ key }: RequestContext, body: object): HttpRequest => ({
  method: 'POST',
  path: `${MERCHANT_BASE}/checkouts`,
  headers: { ...JSON_HEADERS, authorization: `Bearer ${key}` },
  body: JSON.stringify({ amount: 1980, ...body }),
})

const merchantRead = ({ key }: RequestContext, path: string): HttpRequest =>
  getRequest(MERCHANT_BASE + path, { authorization: `Bearer ${key}` })

/** Misplaced card data in what a shop's own server and staff put into a checkout. */
export const IN_MERCHANT_CALLS: MisplacedCards = {
  prepare: withOpenCheckout,
  requests: [
    [
      'the number for a subject',
      400,
      (context) => createCheckoutRequest(context, { subject: groupInFours(context.canary.number, '-') }),
    ],
    [
      'the card in the remarks',
      400,
      (context) =>
        createCheckoutRequest(context, {
          remarks: `Order by telephone: ${groupInFours(context.canary.number, ' ')}, 12/99, ${context.canary.cvc}`,
        }),
    ],
    [
      'the number for a reference',
      400,
      (context) => createCheckoutRequest(context, { reference: groupInFours(context.canary.number, ' ') }),
    ],
    [
      'the number for an idempotency key',
      400,
      (context) => {
        const request = createCheckoutRequest(context, {})
        return { ...request, headers: { ...request.headers, 'idempotency-key': context.canary.number } }
      },
    ],
    [
      'the number to look for by reference',
      200,
      (context) => merchantRead(context, `/checkouts?reference=${context.canary.number}`),
    ],
    [
      'the number to look for by last digits',
      400,
      (context) => merchantRead(context, `/checkouts?lastFour=${context.canary.number}`),
    ],
    [
      'the number for a filter',
      400,
      (context) => merchantRead(context, `/checkouts?${context.canary.number}=${context.canary.cvc}`),
    ],
    [
      'the number for a place in a list',
      400,
      (context) => merchantRead(context, `/refunds?after=${context.canary.number}`),
    ],
    [
      'the number for a day of the export',
      400,
      (context) => merchantRead(context, `/exports/movements.csv?from=${context.canary.number}`),
    ],
    [
      'the number for an amount',
      400,
      (context) => createCheckoutRequest(context, { amount: Number(context.canary.number) }),
    ],
    [
      'the number for a deadline',
      400,
      (context) => createCheckoutRequest(context, { validUntil: context.canary.number }),
    ],
    [
      'the number for a brand',
      400,
      (context) => createCheckoutRequest(context, { acceptedCardBrands: [context.canary.number] }),
    ],
    [
      'the number for the language of a checkout',
      400,
      (context) => createCheckoutRequest(context, { locale: context.canary.number }),
    ],
    [
      'the number for a link',
      400,
      (context) => createCheckoutRequest(context, { links: { cancelUrl: context.canary.number } }),
    ],
    [
      'the number as a name in metadata',
      400,
      (context) => createCheckoutRequest(context, { metadata: { [context.canary.number]: 5 } }),
    ],
    ['the number for a key', 401, (context) => createCheckoutRequest({ ...context, key: context.canary.number }, {})],
    [
      'the number in a key',
      401,
      (context) => createCheckoutRequest({ ...context, key: `sk_test_${context.canary.number}00` }, {}),
    ],
    [
      'the number for a refund’s checkout',
      404,
      (context) => ({
        ...createCheckoutRequest(context, { refundId: 'r' }),
        path: `${MERCHANT_BASE}/checkouts/${context.canary.number}/refunds`,
      }),
    ],
  ],
}
