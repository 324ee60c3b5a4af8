/** Sandbox cards command: the numbers that a test checkout takes, and what the sandbox does with each. */
import { brandOfNumber } from '#contract/brands.ts'
import { PROGRAM, type Command } from './command.ts'
import { tableLines } from './table.ts'

export interface SandboxScenario {
  /** Each with the name by which `sandbox pay` takes it. */
  readonly cards: readonly (readonly [number: string, name: string])[]
  readonly does: string
  readonly ends: string
  /** Where a payment with it ends; `either` where that is for the settings of the shop or for the time to decide. */
  readonly expects: 'paid' | 'not paid' | 'either'
  /** What the card holder does where the bank asks; left out, the right code is entered. */
  readonly atBank?: 'wait'
}

/** The same rows as in docs/sandbox-cards.md. */
export const SANDBOX_CARDS: readonly SandboxScenario[] = [
  {
    cards: [
      ['4242424242424242', 'paid'],
      ['4111111111111111', 'no-method'],
      ['5555555555554444', 'paid-mastercard'],
    ],
    does: "authenticated without a challenge (with the bank's 3DS method, without it, as a Mastercard)",
    ends: 'paid',
    expects: 'paid',
  },
  {
    cards: [
      ['5105105105105100', 'not-enrolled'],
      ['4100000000740002', 'not-participating'],
    ],
    does: 'outside 3-D Secure',
    ends: "by the merchant's policy: the demo takes it",
    expects: 'either',
  },
  {
    cards: [
      ['4100000000000100', 'visa'],
      ['5100000000000107', 'mastercard'],
      ['3528000000000106', 'jcb'],
      ['340000000000108', 'amex'],
      ['6440000000000104', 'discover'],
      ['36000000000008', 'diners'],
    ],
    does: 'authenticated at once: Visa, Mastercard, JCB, American Express, Discover, Diners Club',
    ends: 'paid',
    expects: 'paid',
  },
  {
    cards: [['4100000000600008', 'method']],
    does: "authenticated after the bank's 3DS method",
    ends: 'paid',
    expects: 'paid',
  },
  {
    cards: [
      ['4100000000005000', 'challenge'],
      ['5100000000005007', 'challenge-mastercard'],
      ['3528000000005006', 'challenge-jcb'],
      ['340000000005008', 'challenge-amex'],
    ],
    does: 'the bank asks for a code: 123456, three tries, or Cancel',
    ends: 'paid',
    expects: 'paid',
  },
  {
    cards: [
      ['4100000000100009', 'attempted'],
      ['3528000000100005', 'attempted-jcb'],
      ['5100000000100006', 'attempted-mastercard'],
    ],
    does: 'only attempted (A)',
    ends: 'paid, unless the merchant demands a full authentication',
    expects: 'either',
  },
  {
    cards: [
      ['4100000000300005', 'not-authenticated'],
      ['4100000000400003', 'unavailable'],
      ['4100000000500000', 'rejected'],
    ],
    does: 'not authenticated (N), unavailable (U), rejected (R: blocked on this link)',
    ends: '"Payment failed."',
    expects: 'not paid',
  },
  {
    cards: [
      ['4100000000710005', 'challenge-no-code'],
      ['4100000000711003', 'challenge-cancel-only'],
    ],
    does: 'a challenge that takes no code; one whose only way out is Cancel',
    ends: '"Payment failed."',
    expects: 'not paid',
  },
  {
    cards: [
      ['4100000000712001', 'challenge-endless'],
      ['4100000000713009', 'challenge-unframed'],
    ],
    does: 'a challenge that never finishes; a bank that refuses to be framed: polling ends both after 30 seconds',
    ends: '"Payment failed."',
    expects: 'not paid',
    atBank: 'wait',
  },
  {
    cards: [['4100000000715004', 'challenge-app']],
    does: "approved in the bank's app after 10 seconds, found by polling",
    ends: 'paid',
    expects: 'paid',
  },
  {
    cards: [['4100000000716002', 'challenge-twice']],
    does: 'the result is announced twice',
    ends: 'paid once',
    expects: 'paid',
  },
  {
    cards: [
      ['4100000000717000', 'challenge-unknown'],
      ['4100000000722000', 'collect-unknown'],
    ],
    does: 'an event nobody knows, in the challenge and while collecting',
    ends: 'the form again, nothing is charged',
    expects: 'not paid',
  },
  {
    cards: [
      ['4100000000720004', 'method-endless'],
      ['4100000000721002', 'method-late'],
      ['4100000000723008', 'method-silent'],
      ['4100000000724006', 'method-error'],
    ],
    does: 'a 3DS method that never ends, ends late, stays silent, reports an error',
    ends: 'paid',
    expects: 'paid',
  },
  {
    cards: [
      ['4100000000730003', '3ds-unavailable'],
      ['4100000000732009', '3ds-silent'],
    ],
    does: 'the 3-D Secure server answers 503, or not at all',
    ends: '"Payment failed."',
    expects: 'not paid',
  },
  {
    cards: [
      ['4100000000731001', '3ds-fails-once'],
      ['4100000000733007', '3ds-result-once'],
    ],
    does: 'it fails once, at authentication and at the result',
    ends: 'paid',
    expects: 'paid',
  },
  {
    cards: [
      ['4100000000760000', 'decoupled'],
      ['4100000000761008', 'informational'],
      ['4100000000762006', 'no-proof'],
    ],
    does: 'decoupled (D), informational (I), authenticated without a proof',
    ends: '"Payment failed."',
    expects: 'not paid',
  },
  {
    cards: [
      ['4100000000750001', 'declined'],
      ['4100000000751009', 'expired'],
      ['4100000000752007', 'unsupported'],
    ],
    does: 'authenticated, then declined by the acquirer, as expired, as unsupported',
    ends: '"Payment failed."',
    expects: 'not paid',
  },
  {
    cards: [
      ['4100000000753005', 'charged-late'],
      ['4100000000754003', 'charged-silent'],
      ['4100000000756008', 'charged-500'],
    ],
    does: 'the acquirer charges but answers late, never, with HTTP 500',
    ends: 'the page confirms, then shows the receipt',
    expects: 'paid',
  },
  {
    cards: [
      ['4100000000755000', 'dropped'],
      ['4100000000757006', 'error-500'],
    ],
    does: 'the connection is dropped, HTTP 500, and nothing is charged',
    ends: 'the page confirms, then says so',
    expects: 'not paid',
  },
  {
    cards: [['4100000000758004', 'queued']],
    does: 'the charge waits in a queue for 5 seconds',
    ends: 'the page confirms, then says what became of it',
    expects: 'either',
  },
]

const COLUMNS = ['card', 'name', 'what happens', 'ends']

export const sandboxCards: Command = {
  summary: 'lists the cards that a test checkout takes, and what happens with each',
  places: [],
  options: {},
  example: 'sandbox cards --json',
  run: async () => {
    const items = SANDBOX_CARDS.flatMap(({ cards, does, ends }) =>
      cards.map(([number, name]) => ({ number, name, brand: brandOfNumber(number), does, ends })),
    )
    const rows = SANDBOX_CARDS.map(({ cards, does, ends }) => [
      cards.map(([number]) => number),
      cards.map(([, name]) => name),
      does,
      ends,
    ])
    return {
      value: { items },
      lines: [
        ...tableLines(COLUMNS, rows, { wrap: COLUMNS.slice(2) }),
        `Without a browser: ${PROGRAM} sandbox pay <checkout> --card challenge`,
        'Any expiry date to come and any security code will do. Where a code is asked for it is 123456.',
      ],
    }
  },
}
