/** Notes on the calls that create, read, list, follow and cancel checkouts. */
import type { Json } from './json.ts'
import type { CallNote } from './note.ts'

const ABOUT = { path: { checkoutId: '$CHECKOUT_ID' }, checkout: 'paid' } as const

const OPEN = {
  id: 'k3v5q2m7x4n6p2r5t3w7y4z6a2c5e3g7',
  url: 'https://tea.pay.example.com/k3v5q2m7x4n6p2r5t3w7y4z6a2c5e3g7',
  mode: 'test',
  status: 'open',
  amount: 1980,
  subject: 'Order 42',
  validUntil: '2026-11-30T14:59:59.999Z',
  acceptedCardBrands: ['visa', 'master', 'jcb', 'amex', 'diners', 'discover'],
  links: { cancelUrl: 'https://shop.example.com/cart' },
  metadata: {},
  taxes: [
    { rate: 8, amount: 980 },
    { rate: 10, amount: 1000 },
  ],
  createdAt: '2026-11-23T03:04:05.678Z',
  paymentPending: false,
  refundedAmount: 0,
  reference: 'order-42',
} as const satisfies Json

const LISTED = {
  ...OPEN,
  status: 'paid',
  transactionId: 'txn_8fj2k4',
  paidAt: '2026-11-23T03:06:10.000Z',
  card: { brand: 'visa', number: '•••• 4242' },
  shopper: { email: 'taro@example.com', locale: 'ja_JP' },
} as const satisfies Json

const PAID = {
  ...LISTED,
  authentication: {
    transStatus: 'Y',
    eci: '05',
    dsTransId: 'f25084f0-5b16-4c0a-ae5d-b24808a95e4b',
    messageVersion: '2.2.0',
    challenged: false,
  },
  consent: { version: '2026-11-16', at: '2026-11-23T03:05:58.000Z' },
} as const satisfies Json

export const checkoutNotes = {
  createCheckout: {
    group: 'Checkouts',
    description: [
      'Opens a checkout. Send the `url` of the answer to the shopper: whoever has the link can pay, and pays once.',
      'With an `Idempotency-Key` you may send it again when no answer came: within 24 hours the same key opens one checkout.',
    ].join('\n'),
    answers: 'The new checkout, or with Idempotent-Replayed the one that this key has opened before, as it stands now.',
    answerHeaders: {
      'Idempotent-Replayed': '`true` where this Idempotency-Key has opened the checkout before. Else it is not sent.',
    },
    example: {
      headers: { 'Idempotency-Key': 'order-42' },
      body: {
        amount: 1980,
        subject: 'Order 42',
        reference: 'order-42',
        links: { cancelUrl: 'https://shop.example.com/cart' },
        taxes: [
          { rate: 8, amount: 980 },
          { rate: 10, amount: 1000 },
        ],
      },
      answer: OPEN,
    },
  },
  listCheckouts: {
    group: 'Checkouts',
    description: [
      'Finds checkouts. Filters are exact, and one that is given must hold; a misspelt one is refused.',
      'A listed checkout has no `authentication` and no `consent`: read it by its id for these.',
    ].join('\n'),
    answers: 'A page of checkouts.',
    example: { query: { status: 'paid', limit: '10' }, answer: { items: [LISTED], after: null } },
  },
  readMerchantCheckout: {
    group: 'Checkouts',
    description:
      'Reads all that is known of a checkout. Deliver when its `status` is `paid`, whatever a browser has told you.',
    answers: 'The checkout.',
    example: { ...ABOUT, answer: PAID },
  },
  readTimeline: {
    group: 'Checkouts',
    description: 'Tells who changed what of a checkout, its attempts to pay and its refunds, and why.',
    answers: 'A page of changes.',
    example: {
      ...ABOUT,
      query: { limit: '5' },
      answer: {
        items: [
          {
            at: '2026-11-23T03:06:10.000Z',
            what: 'checkout',
            from: 'open',
            to: 'paid',
            by: 'shopper',
            why: 'charged',
          },
          { at: '2026-11-23T03:04:05.678Z', what: 'checkout', to: 'open', by: 'merchant', why: 'create' },
        ],
        after: null,
      },
    },
  },
  cancelMerchantCheckout: {
    group: 'Checkouts',
    description: [
      'Closes a checkout, so that its link can no longer be paid. One that is closed already is answered as it stands: look at its `status`, it may have been paid.',
      'While a payment is under way or in doubt it is 409 `payment_in_progress`.',
    ].join('\n'),
    answers: 'The checkout as it stands now.',
    example: {
      path: { checkoutId: '$CHECKOUT_ID' },
      checkout: 'open',
      answer: { ...OPEN, status: 'cancelled' },
    },
  },
  sendReceipt: {
    group: 'Checkouts',
    description: [
      'Sends the receipt of a paid checkout to its shopper again, in the shopper’s language and marked 再発行 (reissued).',
      'Called twice within a minute it sends one mail, and ten a day at most to one address.',
      'In test mode mails leave the server only for addresses that the operator registered, or that have confirmed a mail of ours: the timeline says why one was refused.',
    ].join('\n'),
    answers: 'How the mail stands.',
    example: {
      ...ABOUT,
      answer: {
        checkoutId: 'k3v5q2m7x4n6p2r5t3w7y4z6a2c5e3g7',
        status: 'waiting',
        createdAt: '2026-11-24T01:02:03.456Z',
      },
    },
  },
  drawQrCode: {
    group: 'Checkouts',
    description: 'Draws the link of a checkout as a QR code, to be printed on an invoice or shown at a till.',
    answers: 'An SVG picture.',
    example: { ...ABOUT, saveAs: 'qr.svg', answer: '<svg xmlns="http://www.w3.org/2000/svg" …' },
  },
} as const satisfies Readonly<Record<string, CallNote>>
