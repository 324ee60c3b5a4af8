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

type Cards = Readonly<Record<string, string>>

/** `cards`: their numbers by their names. */
const scenario = (does: string, ends: string, expects: SandboxScenario['expects'], cards: Cards): SandboxScenario => ({
  cards: Object.entries(cards).map(([name, number]) => [number, name]),
  does,
  ends,
  expects,
})

const paid = (does: string, cards: Cards): SandboxScenario => scenario(does, 'paid', 'paid', cards)
const failed = (does: string, cards: Cards): SandboxScenario => scenario(does, '"Payment failed."', 'not paid', cards)

/** The same rows as in docs/sandbox-cards.md. */
export const SANDBOX_CARDS: readonly SandboxScenario[] = [
  paid("authenticated without a challenge (with the bank's 3DS method, without it, as a Mastercard)", {
    paid: '4242424242424242',
    'no-method': '4111111111111111',
    'paid-mastercard': '5555555555554444',
  }),
  scenario('outside 3-D Secure', "by the merchant's policy: the demo takes it", 'either', {
    'not-enrolled': '5105105105105100',
    'not-participating': '4100000000740002',
  }),
  paid('authenticated at once: Visa, Mastercard, JCB, American Express, Discover, Diners Club', {
    visa: '4100000000000100',
    mastercard: '5100000000000107',
    jcb: '3528000000000106',
    amex: '340000000000108',
    discover: '6440000000000104',
    diners: '36000000000008',
  }),
  paid("authenticated after the bank's 3DS method", { method: '4100000000600008' }),
  paid('the bank asks for a code: 123456, three tries, or Cancel', {
    challenge: '4100000000005000',
    'challenge-mastercard': '5100000000005007',
    'challenge-jcb': '3528000000005006',
    'challenge-amex': '340000000005008',
  }),
  scenario('only attempted (A)', 'paid, unless the merchant demands a full authentication', 'either', {
    attempted: '4100000000100009',
    'attempted-jcb': '3528000000100005',
    'attempted-mastercard': '5100000000100006',
  }),
  failed('not authenticated (N), unavailable (U), rejected (R: blocked on this link)', {
    'not-authenticated': '4100000000300005',
    unavailable: '4100000000400003',
    rejected: '4100000000500000',
  }),
  failed('a challenge that takes no code; one whose only way out is Cancel', {
    'challenge-no-code': '4100000000710005',
    'challenge-cancel-only': '4100000000711003',
  }),
  {
    ...failed('a challenge that never finishes; a bank that refuses to be framed: polling ends both after 30 seconds', {
      'challenge-endless': '4100000000712001',
      'challenge-unframed': '4100000000713009',
    }),
    atBank: 'wait',
  },
  paid("approved in the bank's app after 10 seconds, found by polling", { 'challenge-app': '4100000000715004' }),
  scenario('the result is announced twice', 'paid once', 'paid', { 'challenge-twice': '4100000000716002' }),
  scenario(
    'an event nobody knows, in the challenge and while collecting',
    'the form again, nothing is charged',
    'not paid',
    { 'challenge-unknown': '4100000000717000', 'collect-unknown': '4100000000722000' },
  ),
  paid('a 3DS method that never ends, ends late, stays silent, reports an error', {
    'method-endless': '4100000000720004',
    'method-late': '4100000000721002',
    'method-silent': '4100000000723008',
    'method-error': '4100000000724006',
  }),
  failed('the 3-D Secure server answers 503, or not at all', {
    '3ds-unavailable': '4100000000730003',
    '3ds-silent': '4100000000732009',
  }),
  paid('it fails once, at authentication and at the result', {
    '3ds-fails-once': '4100000000731001',
    '3ds-result-once': '4100000000733007',
  }),
  failed('decoupled (D), informational (I), authenticated without a proof', {
    decoupled: '4100000000760000',
    informational: '4100000000761008',
    'no-proof': '4100000000762006',
  }),
  failed('authenticated, then declined by the acquirer, as expired, as unsupported', {
    declined: '4100000000750001',
    expired: '4100000000751009',
    unsupported: '4100000000752007',
  }),
  scenario(
    'the acquirer charges but answers late, never, with HTTP 500',
    'the page confirms, then shows the receipt',
    'paid',
    { 'charged-late': '4100000000753005', 'charged-silent': '4100000000754003', 'charged-500': '4100000000756008' },
  ),
  scenario(
    'the connection is dropped, HTTP 500, and nothing is charged',
    'the page confirms, then says so',
    'not paid',
    { dropped: '4100000000755000', 'error-500': '4100000000757006' },
  ),
  scenario('the charge waits in a queue for 5 seconds', 'the page confirms, then says what became of it', 'either', {
    queued: '4100000000758004',
  }),
]

const COLUMNS = ['card', 'name', 'what happens', 'ends']

export const sandboxCards: Command = {
  summary: 'lists the cards that a test checkout takes, and what happens with each',
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
