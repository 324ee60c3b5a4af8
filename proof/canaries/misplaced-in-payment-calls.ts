import { MERCHANT_HEADER, SHOPPER_BASE } from '#contract/paths.ts'
import { toFullWidth, groupInFours } from './canary.ts'
import type { HttpRequest } from './http-client.ts'
import { withCardHeld, withOpenCheckout, type MisplacedCards, type RequestContext } from './misplaced-card-data.ts'
import { cardFields, payRequest, SHOPPER_JSON_HEADERS } from './shopper-requests.ts'

const startRequest = (
  { checkoutId }: RequestContext,
  body: string,
  headers: Record<string, string> = SHOPPER_JSON_HEADERS,
): HttpRequest => ({
  method: 'POST',
  path: `${SHOPPER_BASE}/checkouts/${checkoutId}/3ds`,
  headers,
  body,
})

const startRequestWith = (context: RequestContext, changes: object): HttpRequest =>
  startRequest(context, JSON.stringify({ card: { ...cardFields(context.canary), ...changes } }))

/** Misplaced card data in the start call, which carries the card. */
export const IN_START_CALL: MisplacedCards = {
  prepare: withOpenCheckout,
  requests: [
    ['the number as the name', 400, (context) => startRequestWith(context, { name: context.canary.number })],
    [
      'the number behind the name',
      400,
      (context) => startRequestWith(context, { name: `TARO ${groupInFours(context.canary.number, ' ')}` }),
    ],
    [
      'the number as a mailbox',
      400,
      (context) => startRequestWith(context, { email: `${context.canary.number}@example.com` }),
    ],
    [
      'the number as a mailbox, dotted',
      400,
      (context) => startRequestWith(context, { email: `${groupInFours(context.canary.number, '.')}@example.com` }),
    ],
    ['the number for the address', 400, (context) => startRequestWith(context, { email: context.canary.number })],
    ['the number as a number', 400, (context) => startRequestWith(context, { number: Number(context.canary.number) })],
    [
      'the number grouped',
      400,
      (context) => startRequestWith(context, { number: groupInFours(context.canary.number, ' ') }),
    ],
    [
      'the number in full width',
      400,
      (context) => startRequestWith(context, { number: toFullWidth(context.canary.number) }),
    ],
    ['the number twice', 400, (context) => startRequestWith(context, { number: context.canary.number.repeat(2) })],
    [
      'the number with a wrong digit',
      402,
      (context) => startRequestWith(context, { number: wrongCheckDigit(context.canary.number) }),
    ],
    ['the number in a list', 400, (context) => startRequestWith(context, { number: [context.canary.number] })],
    ['the number for the code', 400, (context) => startRequestWith(context, { cvc: context.canary.number })],
    ['the code as a number', 400, (context) => startRequestWith(context, { cvc: Number(context.canary.cvc) })],
    [
      'the code behind the number',
      400,
      (context) => startRequestWith(context, { number: `${context.canary.number}${context.canary.cvc}` }),
    ],
    [
      'the number for the month',
      400,
      (context) => startRequestWith(context, { expiryMonth: Number(context.canary.number) }),
    ],
    ['the number for the year', 400, (context) => startRequestWith(context, { expiryYear: context.canary.number })],
    ['a card that has expired', 400, (context) => startRequestWith(context, { expiryYear: 2001 })],
    [
      'a field too many',
      400,
      (context) => startRequestWith(context, { pan: context.canary.number, securityCode: context.canary.cvc }),
    ],
    [
      'the number as a field',
      400,
      (context) => startRequestWith(context, { [context.canary.number]: context.canary.cvc }),
    ],
    [
      'the number as a field, grouped',
      400,
      (context) => startRequestWith(context, { [groupInFours(context.canary.number, '/')]: 1 }),
    ],
    ['the code as a field', 400, (context) => startRequestWith(context, { [context.canary.cvc]: 1 })],
    [
      'the number for the card',
      400,
      (context) => startRequest(context, JSON.stringify({ card: context.canary.number })),
    ],
    ['the card in a list', 400, (context) => startRequest(context, JSON.stringify([cardFields(context.canary)]))],
    ['the number alone', 400, (context) => startRequest(context, context.canary.number)],
    ['the number in quotes alone', 400, (context) => startRequest(context, JSON.stringify(context.canary.number))],
    [
      'JSON without an end',
      400,
      (context) => startRequest(context, JSON.stringify({ card: cardFields(context.canary) }).slice(0, -2)),
    ],
    [
      'JSON with a rest',
      400,
      (context) =>
        startRequest(context, `${JSON.stringify({ card: cardFields(context.canary) })} ${context.canary.number}`),
    ],
    [
      'a code that is no JSON',
      400,
      (context) => startRequest(context, `{"card":{"number":"${context.canary.number}","cvc":${context.canary.cvc}}}`),
    ],
    ['a prototype', 400, (context) => startRequest(context, `{"__proto__":{"number":"${context.canary.number}"}}`)],
    [
      'too much',
      413,
      (context) =>
        startRequest(
          context,
          JSON.stringify({ card: cardFields(context.canary), fill: context.canary.number.repeat(5000) }),
        ),
    ],
    [
      'plain text',
      415,
      (context) =>
        startRequest(context, context.canary.number, { ...SHOPPER_JSON_HEADERS, 'content-type': 'text/plain' }),
    ],
    [
      'a form',
      415,
      (context) =>
        startRequest(context, `number=${context.canary.number}&cvc=${context.canary.cvc}`, {
          ...SHOPPER_JSON_HEADERS,
          'content-type': 'application/x-www-form-urlencoded',
        }),
    ],
    [
      'a type named after it',
      415,
      (context) =>
        startRequest(context, '{}', { ...SHOPPER_JSON_HEADERS, 'content-type': `text/${context.canary.number}` }),
    ],
    [
      'a merchant named after it',
      404,
      (context) =>
        startRequest(context, JSON.stringify({ card: cardFields(context.canary) }), {
          ...SHOPPER_JSON_HEADERS,
          [MERCHANT_HEADER]: context.canary.number,
        }),
    ],
  ],
}

const wrongCheckDigit = (number: string): string => `${number.slice(0, -1)}${(Number(number.at(-1)) + 1) % 10}`

/** Misplaced card data in the pay call, which charges it. */
export const IN_PAY_CALL: MisplacedCards = {
  prepare: withCardHeld,
  requests: [
    [
      'the number as the language',
      200,
      (context) => payRequest(context.canary, context, { locale: context.canary.number }),
    ],
    [
      'the number as a mailbox of the receipt',
      400,
      (context) => payRequest(context.canary, context, { receiptEmail: `${context.canary.number}@example.com` }),
    ],
    [
      'the number as a mailbox of the receipt, dashed',
      400,
      (context) =>
        payRequest(context.canary, context, {
          receiptEmail: `${groupInFours(context.canary.number, '-')}@example.com`,
        }),
    ],
    [
      'the number for the receipt',
      400,
      (context) => payRequest(context.canary, context, { receiptEmail: context.canary.number }),
    ],
    [
      'the number for the code of the payment',
      400,
      (context) => payRequest(context.canary, context, { cvc: context.canary.number }),
    ],
    [
      'the whole card again',
      400,
      (context) => payRequest(context.canary, context, { card: cardFields(context.canary) }),
    ],
    [
      'no address and the number too many',
      400,
      (context) => payRequest(context.canary, context, { receiptEmail: undefined, number: context.canary.number }),
    ],
    [
      'the number in the headers',
      200,
      (context) => ({
        ...payRequest(context.canary, context, {}),
        headers: {
          ...SHOPPER_JSON_HEADERS,
          'user-agent': context.canary.number,
          'x-request-id': context.canary.number,
          cookie: `n=${context.canary.number}; cvc=${context.canary.cvc}`,
          referer: `https://x.example/?n=${context.canary.number}`,
          traceparent: `00-${context.canary.number.padStart(32, '0')}-00f067aa0ba902b7-01`,
        },
      }),
    ],
  ],
}
