import { MERCHANT_HEADER, SHOPPER_BASE } from '#contract/paths.ts'
import { fullWidth, grouped } from './canary.ts'
import type { Request } from './client.ts'
import { cardHeld, openCheckout, paying, type Mistakes, type Situation } from './mistake.ts'
import { cardOf, SHOPPER_WITH_JSON } from './shopper.ts'

const starting = (
  { checkoutId }: Situation,
  body: string,
  headers: Record<string, string> = SHOPPER_WITH_JSON,
): Request => ({
  method: 'POST',
  path: `${SHOPPER_BASE}/checkouts/${checkoutId}/3ds`,
  headers,
  body,
})

const withCard = (situation: Situation, wrong: object): Request =>
  starting(situation, JSON.stringify({ card: { ...cardOf(situation.canary), ...wrong } }))

/** What people and programs put into the call that carries the card. */
export const AT_START: Mistakes = {
  prepare: openCheckout,
  mistakes: [
    ['the number as the name', 400, (f) => withCard(f, { name: f.canary.number })],
    ['the number behind the name', 400, (f) => withCard(f, { name: `TARO ${grouped(f.canary.number, ' ')}` })],
    ['the number as a mailbox', 400, (f) => withCard(f, { email: `${f.canary.number}@example.com` })],
    [
      'the number as a mailbox, dotted',
      400,
      (f) => withCard(f, { email: `${grouped(f.canary.number, '.')}@example.com` }),
    ],
    ['the number for the address', 400, (f) => withCard(f, { email: f.canary.number })],
    ['the number as a number', 400, (f) => withCard(f, { number: Number(f.canary.number) })],
    ['the number grouped', 400, (f) => withCard(f, { number: grouped(f.canary.number, ' ') })],
    ['the number in full width', 400, (f) => withCard(f, { number: fullWidth(f.canary.number) })],
    ['the number twice', 400, (f) => withCard(f, { number: f.canary.number.repeat(2) })],
    ['the number with a wrong digit', 402, (f) => withCard(f, { number: wrongCheckDigit(f.canary.number) })],
    ['the number in a list', 400, (f) => withCard(f, { number: [f.canary.number] })],
    ['the number for the code', 400, (f) => withCard(f, { cvc: f.canary.number })],
    ['the code as a number', 400, (f) => withCard(f, { cvc: Number(f.canary.cvc) })],
    ['the code behind the number', 400, (f) => withCard(f, { number: `${f.canary.number}${f.canary.cvc}` })],
    ['the number for the month', 400, (f) => withCard(f, { expiryMonth: Number(f.canary.number) })],
    ['the number for the year', 400, (f) => withCard(f, { expiryYear: f.canary.number })],
    ['a card that has expired', 400, (f) => withCard(f, { expiryYear: 2001 })],
    ['a field too many', 400, (f) => withCard(f, { pan: f.canary.number, securityCode: f.canary.cvc })],
    ['the number as a field', 400, (f) => withCard(f, { [f.canary.number]: f.canary.cvc })],
    ['the number as a field, grouped', 400, (f) => withCard(f, { [grouped(f.canary.number, '/')]: 1 })],
    ['the code as a field', 400, (f) => withCard(f, { [f.canary.cvc]: 1 })],
    ['the number for the card', 400, (f) => starting(f, JSON.stringify({ card: f.canary.number }))],
    ['the card in a list', 400, (f) => starting(f, JSON.stringify([cardOf(f.canary)]))],
    ['the number alone', 400, (f) => starting(f, f.canary.number)],
    ['the number in quotes alone', 400, (f) => starting(f, JSON.stringify(f.canary.number))],
    ['JSON without an end', 400, (f) => starting(f, JSON.stringify({ card: cardOf(f.canary) }).slice(0, -2))],
    ['JSON with a rest', 400, (f) => starting(f, `${JSON.stringify({ card: cardOf(f.canary) })} ${f.canary.number}`)],
    [
      'a code that is no JSON',
      400,
      (f) => starting(f, `{"card":{"number":"${f.canary.number}","cvc":${f.canary.cvc}}}`),
    ],
    ['a prototype', 400, (f) => starting(f, `{"__proto__":{"number":"${f.canary.number}"}}`)],
    [
      'too much',
      413,
      (f) => starting(f, JSON.stringify({ card: cardOf(f.canary), fill: f.canary.number.repeat(5000) })),
    ],
    ['plain text', 415, (f) => starting(f, f.canary.number, { ...SHOPPER_WITH_JSON, 'content-type': 'text/plain' })],
    [
      'a form',
      415,
      (f) =>
        starting(f, `number=${f.canary.number}&cvc=${f.canary.cvc}`, {
          ...SHOPPER_WITH_JSON,
          'content-type': 'application/x-www-form-urlencoded',
        }),
    ],
    [
      'a type named after it',
      415,
      (f) => starting(f, '{}', { ...SHOPPER_WITH_JSON, 'content-type': `text/${f.canary.number}` }),
    ],
    [
      'a merchant named after it',
      404,
      (f) =>
        starting(f, JSON.stringify({ card: cardOf(f.canary) }), {
          ...SHOPPER_WITH_JSON,
          [MERCHANT_HEADER]: f.canary.number,
        }),
    ],
  ],
}

const wrongCheckDigit = (number: string): string => `${number.slice(0, -1)}${(Number(number.at(-1)) + 1) % 10}`

/** What they put into the call that charges it. */
export const AT_PAY: Mistakes = {
  prepare: cardHeld,
  mistakes: [
    ['the number as the language', 200, (f) => paying(f, { locale: f.canary.number })],
    [
      'the number as a mailbox of the receipt',
      400,
      (f) => paying(f, { receiptEmail: `${f.canary.number}@example.com` }),
    ],
    [
      'the number as a mailbox of the receipt, dashed',
      400,
      (f) => paying(f, { receiptEmail: `${grouped(f.canary.number, '-')}@example.com` }),
    ],
    ['the number for the receipt', 400, (f) => paying(f, { receiptEmail: f.canary.number })],
    ['the number for the code of the payment', 400, (f) => paying(f, { cvc: f.canary.number })],
    ['the whole card again', 400, (f) => paying(f, { card: cardOf(f.canary) })],
    ['no address and the number too many', 400, (f) => paying(f, { receiptEmail: undefined, number: f.canary.number })],
    [
      'the number in the headers',
      200,
      (f) => ({
        ...paying(f, {}),
        headers: {
          ...SHOPPER_WITH_JSON,
          'user-agent': f.canary.number,
          'x-request-id': f.canary.number,
          cookie: `n=${f.canary.number}; cvc=${f.canary.cvc}`,
          referer: `https://x.example/?n=${f.canary.number}`,
          traceparent: `00-${f.canary.number.padStart(32, '0')}-00f067aa0ba902b7-01`,
        },
      }),
    ],
  ],
}
