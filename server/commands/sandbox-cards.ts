/** Sandbox cards command: the numbers that a test checkout takes, and what the sandbox does with each. */
import { brandOfNumber } from '#contract/brands.ts'
import type { Command } from './command.ts'
import { tableLines, printableJson } from './table.ts'

interface SandboxCards {
  readonly numbers: readonly string[]
  readonly does: string
  readonly ends: string
}

/** The same rows as in docs/sandbox-cards.md. */
export const SANDBOX_CARDS: readonly SandboxCards[] = [
  {
    numbers: ['4242424242424242', '4111111111111111', '5555555555554444'],
    does: "authenticated without a challenge (with the bank's 3DS method, without it, as a Mastercard)",
    ends: 'paid',
  },
  {
    numbers: ['5105105105105100', '4100000000740002'],
    does: 'outside 3-D Secure',
    ends: "by the merchant's policy: the demo takes it",
  },
  {
    numbers: [
      '4100000000000100',
      '5100000000000107',
      '3528000000000106',
      '340000000000108',
      '6440000000000104',
      '36000000000008',
    ],
    does: 'authenticated at once: Visa, Mastercard, JCB, American Express, Discover, Diners Club',
    ends: 'paid',
  },
  {
    numbers: ['4100000000600008'],
    does: "authenticated after the bank's 3DS method",
    ends: 'paid',
  },
  {
    numbers: ['4100000000005000', '5100000000005007', '3528000000005006', '340000000005008'],
    does: 'the bank asks for a code: 123456, three tries, or Cancel',
    ends: 'paid',
  },
  {
    numbers: ['4100000000100009', '3528000000100005', '5100000000100006'],
    does: 'only attempted (A)',
    ends: 'paid, unless the merchant demands a full authentication',
  },
  {
    numbers: ['4100000000300005', '4100000000400003', '4100000000500000'],
    does: 'not authenticated (N), unavailable (U), rejected (R: blocked on this link)',
    ends: '"Payment failed."',
  },
  {
    numbers: ['4100000000710005', '4100000000711003'],
    does: 'a challenge that takes no code; one whose only way out is Cancel',
    ends: '"Payment failed."',
  },
  {
    numbers: ['4100000000712001', '4100000000713009'],
    does: 'a challenge that never finishes; a bank that refuses to be framed: polling ends both after 30 seconds',
    ends: '"Payment failed."',
  },
  {
    numbers: ['4100000000715004'],
    does: "approved in the bank's app after 10 seconds, found by polling",
    ends: 'paid',
  },
  {
    numbers: ['4100000000716002'],
    does: 'the result is announced twice',
    ends: 'paid once',
  },
  {
    numbers: ['4100000000717000', '4100000000722000'],
    does: 'an event nobody knows, in the challenge and while collecting',
    ends: 'the form again, nothing is charged',
  },
  {
    numbers: ['4100000000720004', '4100000000721002', '4100000000723008', '4100000000724006'],
    does: 'a 3DS method that never ends, ends late, stays silent, reports an error',
    ends: 'paid',
  },
  {
    numbers: ['4100000000730003', '4100000000732009'],
    does: 'the 3-D Secure server answers 503, or not at all',
    ends: '"Payment failed."',
  },
  {
    numbers: ['4100000000731001', '4100000000733007'],
    does: 'it fails once, at authentication and at the result',
    ends: 'paid',
  },
  {
    numbers: ['4100000000760000', '4100000000761008', '4100000000762006'],
    does: 'decoupled (D), informational (I), authenticated without a proof',
    ends: '"Payment failed."',
  },
  {
    numbers: ['4100000000750001', '4100000000751009', '4100000000752007'],
    does: 'authenticated, then declined by the acquirer, as expired, as unsupported',
    ends: '"Payment failed."',
  },
  {
    numbers: ['4100000000753005', '4100000000754003', '4100000000756008'],
    does: 'the acquirer charges but answers late, never, with HTTP 500',
    ends: 'the page confirms, then shows the receipt',
  },
  {
    numbers: ['4100000000755000', '4100000000757006'],
    does: 'the connection is dropped, HTTP 500, and nothing is charged',
    ends: 'the page confirms, then says so',
  },
  {
    numbers: ['4100000000758004'],
    does: 'the charge waits in a queue for 5 seconds',
    ends: 'the page confirms, then says what became of it',
  },
]

const COLUMNS = ['card', 'what happens', 'ends']

export const sandboxCards: Command = {
  summary: 'lists the cards that a test checkout takes, and what happens with each',
  places: [],
  options: {},
  example: 'sandbox cards --json',
  run: async ({ json }, _env, { print }) => {
    if (json) {
      const items = SANDBOX_CARDS.flatMap(({ numbers, ...card }) =>
        numbers.map((number) => ({ number, brand: brandOfNumber(number), ...card })),
      )
      print(printableJson({ items }))
      return 0
    }
    const rows = SANDBOX_CARDS.map(({ numbers, does, ends }) => [numbers, does, ends])
    for (const line of tableLines(COLUMNS, rows, { wrap: COLUMNS.slice(1) })) print(line)
    print('Any expiry date to come and any security code will do. Where a code is asked for it is 123456.')
    return 0
  },
}
