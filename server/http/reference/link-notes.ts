/** Notes on the calls about reusable links. */
import type { Json } from './json.ts'
import type { CallNote } from './note.ts'

const ABOUT = { path: { linkId: '$LINK_ID' } } as const

const LINK = {
  id: 'm4x2p7q5k3v6n2r4t7w3y5z2a6c4e7g3',
  url: 'https://tea.pay.example.com/links/m4x2p7q5k3v6n2r4t7w3y5z2a6c4e7g3',
  mode: 'test',
  status: 'open',
  amount: 3000,
  subject: 'Tea ceremony on 3 December',
  maxPayments: 20,
  payments: 0,
  validUntil: '2026-12-02T14:59:59.999Z',
  createdAt: '2026-11-23T03:04:05.678Z',
} as const satisfies Json

export const linkNotes = {
  createReusableLink: {
    group: 'Reusable links',
    description: [
      'Makes one address that many can pay: each visitor who presses its button gets a checkout of their own, which can be paid for 24 hours and not after the end of the link.',
      'Send `amount` for one price, or `amountRange` for an amount that the visitor enters. All else is as in a checkout, and each of its checkouts carries it.',
      'A checkout of a link is stored when its first card is sent: before, its id is unknown to these calls, and nothing is told of it.',
      'With `maxPayments` it takes no more payments than that, also when several pay in the same moment: whoever comes too late is told so, and nothing is charged.',
    ].join('\n'),
    answers: 'The new link, or with Idempotent-Replayed the one that this key has made before, as it stands now.',
    answerHeaders: {
      'Idempotent-Replayed': '`true` where this Idempotency-Key has made the link before. Else it is not sent.',
    },
    example: {
      headers: { 'Idempotency-Key': 'ceremony-2026-12-03' },
      body: { amount: 3000, subject: 'Tea ceremony on 3 December', maxPayments: 20, validUntil: '2026-12-02' },
      answer: LINK,
    },
  },
  listReusableLinks: {
    group: 'Reusable links',
    description: 'Lists your reusable links. The checkouts of one are found by `linkId` in the list of checkouts.',
    answers: 'A page of links.',
    example: { query: { limit: '10' }, answer: { items: [LINK], after: null } },
  },
  readReusableLink: {
    group: 'Reusable links',
    description: 'Reads a reusable link, with how often it was paid.',
    answers: 'The link.',
    example: { ...ABOUT, answer: LINK },
  },
  changeReusableLink: {
    group: 'Reusable links',
    description: [
      'Changes the limit or the end of a link, or switches it off and on. Its price and its texts stay: make a new link for others.',
      'While it is full, ended or disabled nobody can pay by it, not even who has opened a checkout before: that checkout is cancelled when it is to be paid.',
    ].join('\n'),
    answers: 'The link as it stands now.',
    example: { ...ABOUT, body: { maxPayments: 30, enabled: true }, answer: { ...LINK, maxPayments: 30 } },
  },
  drawLinkQrCode: {
    group: 'Reusable links',
    description: 'Draws the address of a link as a QR code, to be printed on a poster or a menu.',
    answers: 'An SVG picture.',
    example: { ...ABOUT, saveAs: 'qr.svg', answer: '<svg xmlns="http://www.w3.org/2000/svg" …' },
  },
} as const satisfies Readonly<Record<string, CallNote>>
