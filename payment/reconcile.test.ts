import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { ledgerEntryName, parseLedgerEntryName, type LedgerMovement } from './ledger-movement.ts'
import type { StatementLine } from './ports.ts'
import { createStatementMatching } from './reconcile-matching.ts'
import {
  judgeMovement,
  unknownEntry,
  type RequestedMovement,
  type Discrepancy,
  type LedgerEntry,
  type OurRecord,
  type Unresolved,
} from './reconcile.ts'

const SINCE = 1_800_000_000_000
const SILENCE = { outcome: 'unknown', why: 'HTTP 500' } as const

/** Both sides' books, to be written into by whoever tampers with them. */
interface Books {
  entries: LedgerEntry[]
  /** Attempts and refunds, by the names of their entries. */
  begun: Map<string, RequestedMovement & { readonly checkoutId: string }>
  statement: StatementLine[]
}

const charge = (orderCode: string): LedgerMovement => ({ kind: 'charge', orderCode })
const refund = (orderCode: string, refundId: string): LedgerMovement => ({ kind: 'refund', orderCode, refundId })

const checkoutOf = (orderCode: string): string => `checkout-of-${orderCode}`

const entryOf = (movement: LedgerMovement, yen: number, more: Partial<LedgerEntry> = {}): LedgerEntry => ({
  merchantId: 'tea',
  checkoutId: checkoutOf(movement.orderCode),
  name: ledgerEntryName(movement),
  movement,
  acquirerYen: movement.kind === 'charge' ? yen : -yen,
  balanceYen: 0,
  ...more,
})

const begunAs = (amountYen: number, state: RequestedMovement['state']): RequestedMovement =>
  state === 'charging' || state === 'requested' || state === 'unknown'
    ? { amountYen, state, since: SINCE }
    : { amountYen, state }

interface Compared {
  readonly discrepancies: Discrepancy[]
  readonly left: Unresolved[]
  readonly agreed: number
}

/** The whole comparison, on books that stand still. */
const compare = ({ entries, begun, statement }: Books, isSilent = false): Compared => {
  const matching = createStatementMatching()
  for (const line of statement) matching.addStatementLine(line)
  const discrepancies: Discrepancy[] = []
  const left: Unresolved[] = []
  const suspects = new Set<string>()
  let agreed = 0
  for (const entry of entries) {
    if (entry.movement === null) discrepancies.push(unknownEntry(entry))
    else if (matching.matchEntry(entry)) agreed += 1
    else suspects.add(entry.name)
  }
  for (const movement of matching.unmatchedMovements()) suspects.add(ledgerEntryName(movement))
  for (const [name, { state }] of begun) {
    const isBooked = entries.some((entry) => entry.name === name)
    if ((state === 'charged' || state === 'refunded') && !isBooked) suspects.add(name)
  }
  for (const [name, paper] of begun) if ('since' in paper) suspects.add(name)
  for (const name of suspects) {
    const movement = parseLedgerEntryName(name) ?? assert.fail(name)
    const line = statement.find(({ orderCode }) => orderCode === movement.orderCode)
    const moved =
      movement.kind === 'charge'
        ? line?.chargedYen
        : line?.refunds.find(({ refundId }) => refundId === movement.refundId)?.amountYen
    const here: OurRecord = {
      entries: entries.filter((entry) => entry.name === name),
      checkoutId: begun.get(ledgerEntryName(charge(movement.orderCode)))?.checkoutId ?? null,
      requested: begun.get(name) ?? null,
    }
    const listedYen = matching.listedTwice(movement)
    if (listedYen !== null)
      discrepancies.push({ kind: 'listed twice', movement, checkoutId: here.checkoutId, listedYen })
    const judgement = judgeMovement(movement, here, isSilent ? SILENCE : (moved ?? null))
    if ('discrepancies' in judgement) discrepancies.push(...judgement.discrepancies)
    if (judgement.is === 'unresolved') left.push(judgement.unresolved)
    if (judgement.is === 'agreed' && listedYen === null) agreed += 1
  }
  return { discrepancies, left, agreed }
}

type Fate = 'done' | 'doubt, done there' | 'doubt, not done there' | 'over'
interface Past {
  readonly amountYen: number
  readonly fate: Fate
  readonly doubt: 'unknown' | 'under way'
  readonly over: RequestedMovement['state']
  readonly refunds: readonly Omit<Past, 'refunds'>[]
}

const OVER = [
  'started',
  'authenticating',
  'challenged',
  'authenticated',
  'refused',
  'declined',
  'void',
  'abandoned',
] as const
const fate = fc.constantFrom<Fate>('done', 'doubt, done there', 'doubt, not done there', 'over')
const doubt = fc.constantFrom('unknown' as const, 'under way' as const)
const past: fc.Arbitrary<Past> = fc.record({
  amountYen: fc.integer({ min: 100, max: 9_999_999 }),
  fate,
  doubt,
  over: fc.constantFrom(...OVER),
  refunds: fc.array(
    fc.record({ amountYen: fc.integer({ min: 1, max: 20 }), fate, doubt, over: fc.constant('refused' as const) }),
    { maxLength: 4 },
  ),
})

/** What both sides have in their books when neither has made a mistake. */
const booksOf = (pasts: readonly Past[]): Books => {
  const books: Books = { entries: [], begun: new Map(), statement: [] }
  const state = (
    { fate, doubt, over }: Omit<Past, 'refunds'>,
    done: RequestedMovement['state'],
    underWay: RequestedMovement['state'],
  ) => {
    if (fate === 'over') return over
    return fate === 'done' ? done : doubt === 'unknown' ? 'unknown' : underWay
  }
  for (const [place, each] of pasts.entries()) {
    const orderCode = `order-${place}`
    const checkoutId = checkoutOf(orderCode)
    const { amountYen } = each
    books.begun.set(`charge ${orderCode}`, { checkoutId, ...begunAs(amountYen, state(each, 'charged', 'charging')) })
    if (each.fate === 'done') books.entries.push(entryOf(charge(orderCode), amountYen))
    // Only what was paid is given back.
    const refunds = each.fate === 'done' ? each.refunds : []
    const given: { refundId: string; amountYen: number }[] = []
    for (const [index, back] of refunds.entries()) {
      const refundId = `r${index}`
      const movement = refund(orderCode, refundId)
      const paper = begunAs(back.amountYen, state(back, 'refunded', 'requested'))
      books.begun.set(ledgerEntryName(movement), { checkoutId, ...paper })
      if (back.fate === 'done') books.entries.push(entryOf(movement, back.amountYen))
      if (back.fate === 'done' || back.fate === 'doubt, done there') given.push({ refundId, amountYen: back.amountYen })
    }
    if (each.fate === 'done' || each.fate === 'doubt, done there')
      books.statement.push({ orderCode, chargedYen: amountYen, refunds: given })
  }
  return books
}

/** Every doubt that must be told, by the name of its entry. */
const doubtsIn = ({ begun }: Books): Map<string, Unresolved> =>
  new Map(
    [...begun].flatMap(([name, paper]): [string, Unresolved][] => {
      if (!('since' in paper)) return []
      const movement = parseLedgerEntryName(name) ?? assert.fail(name)
      return [[name, { kind: 'in doubt', movement, ...paper }]]
    }),
  )
const byName = (left: readonly Unresolved[]): Map<string, Unresolved> =>
  new Map(left.map((open) => [ledgerEntryName(open.movement), open]))

const paid = (amountYen: number, refunds: Past['refunds'] = []): Past => ({
  amountYen,
  fate: 'done',
  doubt: 'unknown',
  over: 'void',
  refunds,
})
const back = (amountYen: number): Past['refunds'][number] => ({
  amountYen,
  fate: 'done',
  doubt: 'unknown',
  over: 'refused',
})

/** The order that is tampered with: paid, with one refund. It stands at a random place among the others. */
const VICTIM_YEN = 5000
const VICTIM_BACK_YEN = 300
interface Victim {
  readonly orderCode: string
  readonly checkoutId: string
  readonly charge: LedgerMovement
  readonly refund: LedgerMovement
}

interface Tampering {
  readonly title: string
  tamper(books: Books, victim: Victim, yen: number): Discrepancy[]
}

const replaceEntry = (books: Books, movement: LedgerMovement, more: Partial<LedgerEntry>): void => {
  books.entries = books.entries.map((entry) =>
    entry.name === ledgerEntryName(movement) ? { ...entry, ...more } : entry,
  )
}
const dropEntry = (books: Books, movement: LedgerMovement): void => {
  books.entries = books.entries.filter((entry) => entry.name !== ledgerEntryName(movement))
}
const setBegun = (
  books: Books,
  movement: LedgerMovement,
  state: RequestedMovement['state'],
  amountYen?: number,
): void => {
  const known = books.begun.get(ledgerEntryName(movement)) ?? assert.fail()
  const { checkoutId } = known
  books.begun.set(ledgerEntryName(movement), { checkoutId, ...begunAs(amountYen ?? known.amountYen, state) })
}
const replaceLine = (books: Books, orderCode: string, more: Partial<StatementLine>): void => {
  books.statement = books.statement.map((line) => (line.orderCode === orderCode ? { ...line, ...more } : line))
}

const TAMPERINGS: readonly Tampering[] = [
  {
    title: 'the acquirer charged an order that nobody here began',
    tamper: (books, _, yen) => {
      books.statement.push({ orderCode: 'stranger', chargedYen: yen, refunds: [] })
      return [{ kind: 'unknown order', movement: charge('stranger'), checkoutId: null, acquirerYen: yen }]
    },
  },
  ...(['charged', ...OVER] as const).map((state) => ({
    title: `the acquirer charged an attempt that is ${state} here and not in the ledger`,
    tamper: (books: Books, { charge: movement, checkoutId }: Victim): Discrepancy[] => {
      dropEntry(books, movement)
      setBegun(books, movement, state)
      return [{ kind: 'missing in ledger', movement, checkoutId, state, acquirerYen: VICTIM_YEN }]
    },
  })),
  {
    title: 'a charge is in the ledger and not at the acquirer',
    tamper: (books, _, yen) => {
      books.entries.push(entryOf(charge('ghost'), yen))
      return [{ kind: 'missing at acquirer', movement: charge('ghost'), checkoutId: checkoutOf('ghost'), ourYen: yen }]
    },
  },
  {
    title: 'a charge is in the ledger twice, for two merchants',
    tamper: (books, { charge: movement, checkoutId }) => {
      books.entries.push(entryOf(movement, VICTIM_YEN, { merchantId: 'books' }))
      return [{ kind: 'missing at acquirer', movement, checkoutId, ourYen: VICTIM_YEN }]
    },
  },
  {
    title: 'the acquirer charged another amount',
    tamper: (books, { charge: movement, checkoutId, orderCode }, yen) => {
      replaceLine(books, orderCode, { chargedYen: VICTIM_YEN + yen })
      const acquirerYen = VICTIM_YEN + yen
      return [{ kind: 'amounts differ', movement, checkoutId, ourYen: VICTIM_YEN, acquirerYen, isBooked: true }]
    },
  },
  {
    title: 'both lines of a charge were changed',
    tamper: (books, { charge: movement, checkoutId }, yen) => {
      replaceEntry(books, movement, { acquirerYen: VICTIM_YEN + yen })
      const ourYen = VICTIM_YEN + yen
      return [{ kind: 'amounts differ', movement, checkoutId, ourYen, acquirerYen: VICTIM_YEN, isBooked: true }]
    },
  },
  {
    title: 'the acquirer charged another amount than the one that is in doubt here',
    tamper: (books, { charge: movement, checkoutId }, yen) => {
      dropEntry(books, movement)
      setBegun(books, movement, 'unknown', VICTIM_YEN + yen)
      const ourYen = VICTIM_YEN + yen
      return [{ kind: 'amounts differ', movement, checkoutId, ourYen, acquirerYen: VICTIM_YEN, isBooked: false }]
    },
  },
  {
    title: 'one line of a charge was changed',
    tamper: (books, { charge: movement, checkoutId }, yen) => {
      replaceEntry(books, movement, { acquirerYen: VICTIM_YEN + yen, balanceYen: yen })
      return [{ kind: 'unbalanced', entry: ledgerEntryName(movement), checkoutId, balanceYen: yen }]
    },
  },
  {
    title: 'one line of a refund is missing',
    tamper: (books, { refund: movement, checkoutId }) => {
      replaceEntry(books, movement, { acquirerYen: 0, balanceYen: VICTIM_BACK_YEN })
      return [{ kind: 'unbalanced', entry: ledgerEntryName(movement), checkoutId, balanceYen: VICTIM_BACK_YEN }]
    },
  },
  {
    title: 'the ledger has an entry that is no charge and no refund',
    tamper: (books, _, yen) => {
      books.entries.push(entryOf(charge('x'), yen, { name: 'gift', movement: null }))
      return [{ kind: 'unknown entry', entry: 'gift', checkoutId: checkoutOf('x'), ourYen: yen }]
    },
  },
  {
    title: 'the acquirer gave back what nobody here asked for',
    tamper: (books, { orderCode, checkoutId }, yen) => {
      const line = books.statement.find((each) => each.orderCode === orderCode) ?? assert.fail()
      replaceLine(books, orderCode, { refunds: [...line.refunds, { refundId: 'more', amountYen: yen }] })
      return [{ kind: 'unknown order', movement: refund(orderCode, 'more'), checkoutId, acquirerYen: yen }]
    },
  },
  ...(['refunded', 'refused'] as const).map((state) => ({
    title: `the acquirer gave back what is ${state} here and not in the ledger`,
    tamper: (books: Books, { refund: movement, checkoutId }: Victim): Discrepancy[] => {
      dropEntry(books, movement)
      setBegun(books, movement, state)
      return [{ kind: 'missing in ledger', movement, checkoutId, state, acquirerYen: VICTIM_BACK_YEN }]
    },
  })),
  {
    title: 'a refund is in the ledger and not at the acquirer',
    tamper: (books, { refund: movement, checkoutId, orderCode }) => {
      replaceLine(books, orderCode, { refunds: [] })
      return [{ kind: 'missing at acquirer', movement, checkoutId, ourYen: VICTIM_BACK_YEN }]
    },
  },
  {
    title: 'the acquirer gave back another amount',
    tamper: (books, { refund: movement, checkoutId, orderCode }, yen) => {
      const acquirerYen = VICTIM_BACK_YEN + yen
      replaceLine(books, orderCode, { refunds: [{ refundId: 'r0', amountYen: acquirerYen }] })
      return [{ kind: 'amounts differ', movement, checkoutId, ourYen: VICTIM_BACK_YEN, acquirerYen, isBooked: true }]
    },
  },
  {
    title: 'the acquirer gave back another amount than the one that is in doubt here',
    tamper: (books, { refund: movement, checkoutId }, yen) => {
      dropEntry(books, movement)
      setBegun(books, movement, 'requested', VICTIM_BACK_YEN + yen)
      const ourYen = VICTIM_BACK_YEN + yen
      return [{ kind: 'amounts differ', movement, checkoutId, ourYen, acquirerYen: VICTIM_BACK_YEN, isBooked: false }]
    },
  },
  {
    title: 'an attempt is charged here, and neither in the ledger nor at the acquirer',
    tamper: (books, _, yen) => {
      const [movement, checkoutId] = [charge('phantom'), checkoutOf('phantom')]
      books.begun.set(ledgerEntryName(movement), { checkoutId, ...begunAs(yen, 'charged') })
      return [{ kind: 'missing on both sides', movement, checkoutId, state: 'charged', ourYen: yen }]
    },
  },
  {
    title: 'a refund is refunded here, and neither in the ledger nor at the acquirer',
    tamper: (books, { refund: movement, checkoutId, orderCode }) => {
      dropEntry(books, movement)
      replaceLine(books, orderCode, { refunds: [] })
      const ourYen = VICTIM_BACK_YEN
      return [{ kind: 'missing on both sides', movement, checkoutId, state: 'refunded', ourYen }]
    },
  },
  {
    title: 'the acquirer lists a charge twice with one amount',
    tamper: (books, { charge: movement, checkoutId, orderCode }) => {
      books.statement.push({ orderCode, chargedYen: VICTIM_YEN, refunds: [] })
      return [{ kind: 'listed twice', movement, checkoutId, listedYen: [VICTIM_YEN, VICTIM_YEN] }]
    },
  },
  {
    title: 'the acquirer lists a charge three times with other amounts',
    tamper: (books, { charge: movement, checkoutId, orderCode }, yen) => {
      books.statement.push({ orderCode, chargedYen: yen, refunds: [] }, { orderCode, chargedYen: 1, refunds: [] })
      return [{ kind: 'listed twice', movement, checkoutId, listedYen: [VICTIM_YEN, yen, 1] }]
    },
  },
  {
    title: 'the acquirer lists a refund twice within its order',
    tamper: (books, { refund: movement, checkoutId, orderCode }, yen) => {
      const given = [VICTIM_BACK_YEN, yen].map((amountYen) => ({ refundId: 'r0', amountYen }))
      replaceLine(books, orderCode, { refunds: given })
      return [{ kind: 'listed twice', movement, checkoutId, listedYen: [VICTIM_BACK_YEN, yen] }]
    },
  },
  {
    title: 'the acquirer lists an order twice, each time with its refund',
    tamper: (books, { charge: paidOnce, refund: movement, checkoutId, orderCode }) => {
      const line = books.statement.find((each) => each.orderCode === orderCode) ?? assert.fail()
      books.statement.push(line)
      return [
        { kind: 'listed twice', movement: paidOnce, checkoutId, listedYen: [VICTIM_YEN, VICTIM_YEN] },
        { kind: 'listed twice', movement, checkoutId, listedYen: [VICTIM_BACK_YEN, VICTIM_BACK_YEN] },
      ]
    },
  },
  {
    title: 'the acquirer lists twice what nobody here began',
    tamper: (books, _, yen) => {
      const movement = charge('stranger')
      const line = { orderCode: 'stranger', chargedYen: yen, refunds: [] }
      books.statement.push(line, line)
      return [
        { kind: 'listed twice', movement, checkoutId: null, listedYen: [yen, yen] },
        { kind: 'unknown order', movement, checkoutId: null, acquirerYen: yen },
      ]
    },
  },
]

const shuffled = fc
  .tuple(fc.array(past, { maxLength: 12 }), fc.nat())
  .map(([others, place]) => ({ others, place: place % (others.length + 1) }))

describe('our ledger against the acquirer’s statement', () => {
  test('no honest past has a break, and each doubt is told once, whether the acquirer answers about it or not', () => {
    fc.assert(
      fc.property(fc.array(past, { maxLength: 20 }), fc.boolean(), (pasts, isSilent) => {
        const books = booksOf(pasts)
        const { discrepancies, left, agreed } = compare(books, isSilent)
        assert.deepEqual(discrepancies, [])
        assert.deepEqual(byName(left), doubtsIn(books))
        assert.equal(left.length, doubtsIn(books).size)
        assert.equal(agreed, books.entries.length)
      }),
    )
  })

  for (const { title, tamper } of TAMPERINGS) {
    const tampered = fc.tuple(shuffled, fc.integer({ min: 1, max: 1_000_000 })).map(([{ others, place }, yen]) => {
      const orderCode = `order-${place}`
      const victim = {
        orderCode,
        checkoutId: checkoutOf(orderCode),
        charge: charge(orderCode),
        refund: refund(orderCode, 'r0'),
      }
      const books = booksOf([
        ...others.slice(0, place),
        paid(VICTIM_YEN, [back(VICTIM_BACK_YEN)]),
        ...others.slice(place),
      ])
      const doubts = doubtsIn(books)
      return { expected: tamper(books, victim, yen), books, doubts }
    })

    test(`${title}: that is named, and nothing else`, () => {
      fc.assert(
        fc.property(tampered, ({ books, expected, doubts }) => {
          const { discrepancies, left } = compare(books)
          assert.deepEqual(discrepancies, expected)
          assert.deepEqual(byName(left), doubts)
        }),
        { numRuns: 50 },
      )
    })

    test(`${title}: beside a silent acquirer that is named or told to be open, and no other break`, () => {
      fc.assert(
        fc.property(tampered, ({ books, expected, doubts }) => {
          const { discrepancies, left } = compare(books, true)
          const isNamed = (found: Discrepancy): boolean => discrepancies.some((each) => isDeepStrictEqual(each, found))
          const open = byName(left)
          for (const found of expected) {
            const isOpen = 'movement' in found && open.has(ledgerEntryName(found.movement))
            assert.ok(isNamed(found) || isOpen, JSON.stringify(found))
          }
          for (const found of discrepancies) assert.ok(expected.some((each) => isDeepStrictEqual(each, found)))
          for (const [name, doubt] of doubts) assert.deepEqual(open.get(name), doubt)
        }),
        { numRuns: 50 },
      )
    })
  }

  test('an entry that does not add up and moved nothing there is two discrepancies', () => {
    const movement = charge('ghost')
    const entry = entryOf(movement, 10, { balanceYen: 10 })
    const judgement = judgeMovement(movement, { entries: [entry], checkoutId: null, requested: null }, null)
    if (judgement.is !== 'discrepant') assert.fail(judgement.is)
    assert.deepEqual(
      judgement.discrepancies.map(({ kind }) => kind),
      ['unbalanced', 'missing at acquirer'],
    )
  })

  test('what is wrong here is named although the acquirer does not answer, which is told too', () => {
    const movement = charge('ghost')
    const entries = [entryOf(movement, 10, { balanceYen: 10 }), entryOf(movement, 10, { merchantId: 'books' })]
    const checkoutId = checkoutOf('ghost')
    const judgement = judgeMovement(movement, { entries, checkoutId, requested: begunAs(10, 'unknown') }, SILENCE)
    assert.deepEqual(judgement, {
      is: 'unresolved',
      unresolved: { kind: 'unanswered', movement, checkoutId, why: 'HTTP 500' },
      discrepancies: [
        { kind: 'unbalanced', entry: 'charge ghost', checkoutId, balanceYen: 10 },
        { kind: 'missing at acquirer', movement, checkoutId, ourYen: 10 },
      ],
    })
  })

  test('what is in doubt here and listed twice there is a break and a doubt', () => {
    const line = { orderCode: 'o', chargedYen: 10, refunds: [] }
    const checkoutId = checkoutOf('o')
    const begun = new Map([['charge o', { checkoutId, ...begunAs(10, 'unknown') }]])
    const { discrepancies, left } = compare({ entries: [], begun, statement: [line, line] })
    assert.deepEqual(discrepancies, [{ kind: 'listed twice', movement: charge('o'), checkoutId, listedYen: [10, 10] }])
    assert.deepEqual(
      left.map(({ kind }) => kind),
      ['in doubt'],
    )
  })

  test('an order whose refunds stand on two lines of the statement loses none of them', () => {
    const matching = createStatementMatching()
    for (const refundId of ['a', 'b'])
      matching.addStatementLine({ orderCode: 'o', chargedYen: 10, refunds: [{ refundId, amountYen: 1 }] })
    assert.deepEqual([...matching.unmatchedMovements()], [charge('o'), refund('o', 'a'), refund('o', 'b')])
    assert.deepEqual(matching.listedTwice(charge('o')), [10, 10])
    assert.equal(matching.listedTwice(refund('o', 'a')), null)
    assert.equal(matching.listedTwice(charge('other')), null)
  })
})
