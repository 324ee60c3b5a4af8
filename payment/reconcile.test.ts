import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { ledgerEntryName, parseLedgerEntryName, type LedgerMovement } from './ledger-movement.ts'
import type { StatementLine } from './ports.ts'
import { createStatementMatching, movementOfLine } from './reconcile-matching.ts'
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
const NO_ANSWER = { outcome: 'unknown', why: 'HTTP 500' } as const

/** The records of both sides; a test may tamper with them. */
interface Records {
  entries: LedgerEntry[]
  /** Attempts and refunds, by the names of their entries. */
  requested: Map<string, RequestedMovement & { readonly checkoutId: string }>
  statement: StatementLine[]
}

const charge = (orderCode: string): LedgerMovement => ({ kind: 'charge', orderCode })
const refund = (orderCode: string, refundId: string): LedgerMovement => ({ kind: 'refund', orderCode, refundId })

/** The line by which the acquirer's statement lists a movement. */
const lineOf = (movement: LedgerMovement, amountYen: number): StatementLine =>
  movement.kind === 'charge'
    ? { ...movement, reference: movement.orderCode, amountYen, movedAt: 0 }
    : { ...movement, amountYen, movedAt: 0 }

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

const requestedAs = (amountYen: number, state: RequestedMovement['state']): RequestedMovement =>
  state === 'charging' || state === 'requested' || state === 'unknown'
    ? { amountYen, state, since: SINCE }
    : { amountYen, state }

interface Compared {
  readonly discrepancies: Discrepancy[]
  readonly unresolved: Unresolved[]
  readonly agreed: number
}

/** The whole comparison, on records that do not change meanwhile. */
const compare = ({ entries, requested, statement }: Records, isUnanswered = false): Compared => {
  const matching = createStatementMatching()
  for (const line of statement) matching.addStatementLine(line)
  const discrepancies: Discrepancy[] = []
  const unresolved: Unresolved[] = []
  const suspects = new Set<string>()
  let agreed = 0
  for (const entry of entries) {
    if (entry.movement === null) discrepancies.push(unknownEntry(entry))
    else if (matching.matchEntry(entry)) agreed += 1
    else suspects.add(entry.name)
  }
  for (const line of matching.unmatchedLines()) suspects.add(ledgerEntryName(movementOfLine(line)))
  for (const [name, { state }] of requested) {
    const isBooked = entries.some((entry) => entry.name === name)
    if ((state === 'charged' || state === 'refunded') && !isBooked) suspects.add(name)
  }
  for (const [name, request] of requested) if ('since' in request) suspects.add(name)
  for (const name of suspects) {
    const movement = parseLedgerEntryName(name) ?? assert.fail(name)
    const moved = statement.find((line) => ledgerEntryName(movementOfLine(line)) === name)?.amountYen
    const here: OurRecord = {
      entries: entries.filter((entry) => entry.name === name),
      checkoutId: requested.get(ledgerEntryName(charge(movement.orderCode)))?.checkoutId ?? null,
      requested: requested.get(name) ?? null,
    }
    const listedYen = matching.listedTwice(movement)
    if (listedYen !== null)
      discrepancies.push({ kind: 'listed twice', movement, checkoutId: here.checkoutId, listedYen })
    const judgement = judgeMovement(movement, here, isUnanswered ? NO_ANSWER : (moved ?? null))
    if ('discrepancies' in judgement) discrepancies.push(...judgement.discrepancies)
    if (judgement.is === 'unresolved') unresolved.push(judgement.unresolved)
    if (judgement.is === 'agreed' && listedYen === null) agreed += 1
  }
  return { discrepancies, unresolved, agreed }
}

type Outcome = 'done' | 'doubt, done there' | 'doubt, not done there' | 'over'
interface History {
  readonly amountYen: number
  readonly outcome: Outcome
  readonly doubt: 'unknown' | 'under way'
  readonly over: RequestedMovement['state']
  readonly refunds: readonly Omit<History, 'refunds'>[]
}

const OVER = [
  'started',
  'authenticating',
  'challenged',
  'authenticated',
  'refused',
  'declined',
  'not_charged',
  'abandoned',
] as const
const outcome = fc.constantFrom<Outcome>('done', 'doubt, done there', 'doubt, not done there', 'over')
const doubt = fc.constantFrom('unknown' as const, 'under way' as const)
const history: fc.Arbitrary<History> = fc.record({
  amountYen: fc.integer({ min: 100, max: 9_999_999 }),
  outcome,
  doubt,
  over: fc.constantFrom(...OVER),
  refunds: fc.array(
    fc.record({ amountYen: fc.integer({ min: 1, max: 20 }), outcome, doubt, over: fc.constant('refused' as const) }),
    { maxLength: 4 },
  ),
})

/** What both sides have on record when neither has made a mistake. */
const recordsOf = (histories: readonly History[]): Records => {
  const records: Records = { entries: [], requested: new Map(), statement: [] }
  const state = (
    { outcome, doubt, over }: Omit<History, 'refunds'>,
    done: RequestedMovement['state'],
    underWay: RequestedMovement['state'],
  ) => {
    if (outcome === 'over') return over
    return outcome === 'done' ? done : doubt === 'unknown' ? 'unknown' : underWay
  }
  for (const [place, each] of histories.entries()) {
    const orderCode = `order-${place}`
    const checkoutId = checkoutOf(orderCode)
    const { amountYen } = each
    records.requested.set(`charge ${orderCode}`, {
      checkoutId,
      ...requestedAs(amountYen, state(each, 'charged', 'charging')),
    })
    if (each.outcome === 'done') records.entries.push(entryOf(charge(orderCode), amountYen))
    // Only what was paid is refunded.
    const refunds = each.outcome === 'done' ? each.refunds : []
    const refunded: StatementLine[] = []
    for (const [index, wanted] of refunds.entries()) {
      const refundId = `r${index}`
      const movement = refund(orderCode, refundId)
      const request = requestedAs(wanted.amountYen, state(wanted, 'refunded', 'requested'))
      records.requested.set(ledgerEntryName(movement), { checkoutId, ...request })
      if (wanted.outcome === 'done') records.entries.push(entryOf(movement, wanted.amountYen))
      if (wanted.outcome === 'done' || wanted.outcome === 'doubt, done there')
        refunded.push(lineOf(movement, wanted.amountYen))
    }
    if (each.outcome === 'done' || each.outcome === 'doubt, done there')
      records.statement.push(lineOf(charge(orderCode), amountYen), ...refunded)
  }
  return records
}

/** Every doubt that must be reported, by the name of its entry. */
const doubtsIn = ({ requested }: Records): Map<string, Unresolved> =>
  new Map(
    [...requested].flatMap(([name, request]): [string, Unresolved][] => {
      if (!('since' in request)) return []
      const movement = parseLedgerEntryName(name) ?? assert.fail(name)
      return [[name, { kind: 'in doubt', movement, ...request }]]
    }),
  )
const byName = (unresolved: readonly Unresolved[]): Map<string, Unresolved> =>
  new Map(unresolved.map((open) => [ledgerEntryName(open.movement), open]))

const paid = (amountYen: number, refunds: History['refunds'] = []): History => ({
  amountYen,
  outcome: 'done',
  doubt: 'unknown',
  over: 'not_charged',
  refunds,
})
const refundOf = (amountYen: number): History['refunds'][number] => ({
  amountYen,
  outcome: 'done',
  doubt: 'unknown',
  over: 'refused',
})

/** The order that is tampered with: paid, with one refund. It stands at a random place among the others. */
const TARGET_YEN = 5000
const TARGET_REFUND_YEN = 300
interface TargetOrder {
  readonly orderCode: string
  readonly checkoutId: string
  readonly charge: LedgerMovement
  readonly refund: LedgerMovement
}

interface Tampering {
  readonly title: string
  tamper(records: Records, target: TargetOrder, yen: number): Discrepancy[]
}

const replaceEntry = (records: Records, movement: LedgerMovement, more: Partial<LedgerEntry>): void => {
  records.entries = records.entries.map((entry) =>
    entry.name === ledgerEntryName(movement) ? { ...entry, ...more } : entry,
  )
}
const dropEntry = (records: Records, movement: LedgerMovement): void => {
  records.entries = records.entries.filter((entry) => entry.name !== ledgerEntryName(movement))
}
const setRequested = (
  records: Records,
  movement: LedgerMovement,
  state: RequestedMovement['state'],
  amountYen?: number,
): void => {
  const known = records.requested.get(ledgerEntryName(movement)) ?? assert.fail()
  const { checkoutId } = known
  records.requested.set(ledgerEntryName(movement), { checkoutId, ...requestedAs(amountYen ?? known.amountYen, state) })
}
/** Lists a movement with these amounts, once for each, and no more as it was. */
const replaceLine = (records: Records, movement: LedgerMovement, ...amountsYen: readonly number[]): void => {
  const name = ledgerEntryName(movement)
  records.statement = records.statement.flatMap((line) =>
    ledgerEntryName(movementOfLine(line)) === name ? amountsYen.map((yen) => lineOf(movement, yen)) : [line],
  )
}

const TAMPERINGS: readonly Tampering[] = [
  {
    title: 'the acquirer charged an order that we never started',
    tamper: (records, _, yen) => {
      records.statement.push(lineOf(charge('stranger'), yen))
      return [{ kind: 'unknown order', movement: charge('stranger'), checkoutId: null, acquirerYen: yen }]
    },
  },
  ...(['charged', ...OVER] as const).map((state) => ({
    title: `the acquirer charged an attempt that is ${state} here and not in the ledger`,
    tamper: (records: Records, { charge: movement, checkoutId }: TargetOrder): Discrepancy[] => {
      dropEntry(records, movement)
      setRequested(records, movement, state)
      return [{ kind: 'missing in ledger', movement, checkoutId, state, acquirerYen: TARGET_YEN }]
    },
  })),
  {
    title: 'a charge is in the ledger and not at the acquirer',
    tamper: (records, _, yen) => {
      records.entries.push(entryOf(charge('ghost'), yen))
      return [{ kind: 'missing at acquirer', movement: charge('ghost'), checkoutId: checkoutOf('ghost'), ourYen: yen }]
    },
  },
  {
    title: 'a charge is in the ledger twice, for two merchants',
    tamper: (records, { charge: movement, checkoutId }) => {
      records.entries.push(entryOf(movement, TARGET_YEN, { merchantId: 'books' }))
      return [{ kind: 'missing at acquirer', movement, checkoutId, ourYen: TARGET_YEN }]
    },
  },
  {
    title: 'the acquirer charged another amount',
    tamper: (records, { charge: movement, checkoutId }, yen) => {
      replaceLine(records, movement, TARGET_YEN + yen)
      const acquirerYen = TARGET_YEN + yen
      return [{ kind: 'amounts differ', movement, checkoutId, ourYen: TARGET_YEN, acquirerYen, isBooked: true }]
    },
  },
  {
    title: 'both lines of a charge were changed',
    tamper: (records, { charge: movement, checkoutId }, yen) => {
      replaceEntry(records, movement, { acquirerYen: TARGET_YEN + yen })
      const ourYen = TARGET_YEN + yen
      return [{ kind: 'amounts differ', movement, checkoutId, ourYen, acquirerYen: TARGET_YEN, isBooked: true }]
    },
  },
  {
    title: 'the acquirer charged another amount than the one that is in doubt here',
    tamper: (records, { charge: movement, checkoutId }, yen) => {
      dropEntry(records, movement)
      setRequested(records, movement, 'unknown', TARGET_YEN + yen)
      const ourYen = TARGET_YEN + yen
      return [{ kind: 'amounts differ', movement, checkoutId, ourYen, acquirerYen: TARGET_YEN, isBooked: false }]
    },
  },
  {
    title: 'one line of a charge was changed',
    tamper: (records, { charge: movement, checkoutId }, yen) => {
      replaceEntry(records, movement, { acquirerYen: TARGET_YEN + yen, balanceYen: yen })
      return [{ kind: 'unbalanced', entry: ledgerEntryName(movement), checkoutId, balanceYen: yen }]
    },
  },
  {
    title: 'one line of a refund is missing',
    tamper: (records, { refund: movement, checkoutId }) => {
      replaceEntry(records, movement, { acquirerYen: 0, balanceYen: TARGET_REFUND_YEN })
      return [{ kind: 'unbalanced', entry: ledgerEntryName(movement), checkoutId, balanceYen: TARGET_REFUND_YEN }]
    },
  },
  {
    title: 'the ledger has an entry that is no charge and no refund',
    tamper: (records, _, yen) => {
      records.entries.push(entryOf(charge('x'), yen, { name: 'gift', movement: null }))
      return [{ kind: 'unknown entry', entry: 'gift', checkoutId: checkoutOf('x'), ourYen: yen }]
    },
  },
  {
    title: 'the acquirer made a refund that we never requested',
    tamper: (records, { orderCode, checkoutId }, yen) => {
      records.statement.push(lineOf(refund(orderCode, 'more'), yen))
      return [{ kind: 'unknown order', movement: refund(orderCode, 'more'), checkoutId, acquirerYen: yen }]
    },
  },
  ...(['refunded', 'refused'] as const).map((state) => ({
    title: `the acquirer made a refund that is ${state} here and not in the ledger`,
    tamper: (records: Records, { refund: movement, checkoutId }: TargetOrder): Discrepancy[] => {
      dropEntry(records, movement)
      setRequested(records, movement, state)
      return [{ kind: 'missing in ledger', movement, checkoutId, state, acquirerYen: TARGET_REFUND_YEN }]
    },
  })),
  {
    title: 'a refund is in the ledger and not at the acquirer',
    tamper: (records, { refund: movement, checkoutId }) => {
      replaceLine(records, movement)
      return [{ kind: 'missing at acquirer', movement, checkoutId, ourYen: TARGET_REFUND_YEN }]
    },
  },
  {
    title: 'the acquirer refunded another amount',
    tamper: (records, { refund: movement, checkoutId }, yen) => {
      const acquirerYen = TARGET_REFUND_YEN + yen
      replaceLine(records, movement, acquirerYen)
      return [{ kind: 'amounts differ', movement, checkoutId, ourYen: TARGET_REFUND_YEN, acquirerYen, isBooked: true }]
    },
  },
  {
    title: 'the acquirer refunded another amount than the one that is in doubt here',
    tamper: (records, { refund: movement, checkoutId }, yen) => {
      dropEntry(records, movement)
      setRequested(records, movement, 'requested', TARGET_REFUND_YEN + yen)
      const ourYen = TARGET_REFUND_YEN + yen
      return [{ kind: 'amounts differ', movement, checkoutId, ourYen, acquirerYen: TARGET_REFUND_YEN, isBooked: false }]
    },
  },
  {
    title: 'an attempt is charged here, and neither in the ledger nor at the acquirer',
    tamper: (records, _, yen) => {
      const [movement, checkoutId] = [charge('phantom'), checkoutOf('phantom')]
      records.requested.set(ledgerEntryName(movement), { checkoutId, ...requestedAs(yen, 'charged') })
      return [{ kind: 'missing on both sides', movement, checkoutId, state: 'charged', ourYen: yen }]
    },
  },
  {
    title: 'a refund is refunded here, and neither in the ledger nor at the acquirer',
    tamper: (records, { refund: movement, checkoutId }) => {
      dropEntry(records, movement)
      replaceLine(records, movement)
      const ourYen = TARGET_REFUND_YEN
      return [{ kind: 'missing on both sides', movement, checkoutId, state: 'refunded', ourYen }]
    },
  },
  {
    title: 'the acquirer lists a charge twice with one amount',
    tamper: (records, { charge: movement, checkoutId }) => {
      records.statement.push(lineOf(movement, TARGET_YEN))
      return [{ kind: 'listed twice', movement, checkoutId, listedYen: [TARGET_YEN, TARGET_YEN] }]
    },
  },
  {
    title: 'the acquirer lists a charge three times with other amounts',
    tamper: (records, { charge: movement, checkoutId }, yen) => {
      records.statement.push(lineOf(movement, yen), lineOf(movement, 1))
      return [{ kind: 'listed twice', movement, checkoutId, listedYen: [TARGET_YEN, yen, 1] }]
    },
  },
  {
    title: 'the acquirer lists a refund twice, one line after the other',
    tamper: (records, { refund: movement, checkoutId }, yen) => {
      replaceLine(records, movement, TARGET_REFUND_YEN, yen)
      return [{ kind: 'listed twice', movement, checkoutId, listedYen: [TARGET_REFUND_YEN, yen] }]
    },
  },
  {
    title: 'the acquirer lists an order twice, each time with its refund',
    tamper: (records, { charge: paidOnce, refund: movement, checkoutId, orderCode }) => {
      records.statement.push(...records.statement.filter((line) => line.orderCode === orderCode))
      return [
        { kind: 'listed twice', movement: paidOnce, checkoutId, listedYen: [TARGET_YEN, TARGET_YEN] },
        { kind: 'listed twice', movement, checkoutId, listedYen: [TARGET_REFUND_YEN, TARGET_REFUND_YEN] },
      ]
    },
  },
  {
    title: 'the acquirer lists twice an order that we never started',
    tamper: (records, _, yen) => {
      const movement = charge('stranger')
      records.statement.push(lineOf(movement, yen), lineOf(movement, yen))
      return [
        { kind: 'listed twice', movement, checkoutId: null, listedYen: [yen, yen] },
        { kind: 'unknown order', movement, checkoutId: null, acquirerYen: yen },
      ]
    },
  },
]

const shuffled = fc
  .tuple(fc.array(history, { maxLength: 12 }), fc.nat())
  .map(([others, place]) => ({ others, place: place % (others.length + 1) }))

describe('our ledger against the acquirer’s statement', () => {
  test('records without a mistake have no discrepancy, and each doubt is reported once, whether the acquirer answers about it or not', () => {
    fc.assert(
      fc.property(fc.array(history, { maxLength: 20 }), fc.boolean(), (histories, isUnanswered) => {
        const records = recordsOf(histories)
        const { discrepancies, unresolved, agreed } = compare(records, isUnanswered)
        assert.deepEqual(discrepancies, [])
        assert.deepEqual(byName(unresolved), doubtsIn(records))
        assert.equal(unresolved.length, doubtsIn(records).size)
        assert.equal(agreed, records.entries.length)
      }),
    )
  })

  for (const { title, tamper } of TAMPERINGS) {
    const tampered = fc.tuple(shuffled, fc.integer({ min: 1, max: 1_000_000 })).map(([{ others, place }, yen]) => {
      const orderCode = `order-${place}`
      const target = {
        orderCode,
        checkoutId: checkoutOf(orderCode),
        charge: charge(orderCode),
        refund: refund(orderCode, 'r0'),
      }
      const records = recordsOf([
        ...others.slice(0, place),
        paid(TARGET_YEN, [refundOf(TARGET_REFUND_YEN)]),
        ...others.slice(place),
      ])
      const doubts = doubtsIn(records)
      return { expected: tamper(records, target, yen), records, doubts }
    })

    test(`${title}: that is reported, and nothing else`, () => {
      fc.assert(
        fc.property(tampered, ({ records, expected, doubts }) => {
          const { discrepancies, unresolved } = compare(records)
          assert.deepEqual(discrepancies, expected)
          assert.deepEqual(byName(unresolved), doubts)
        }),
        { numRuns: 50 },
      )
    })

    test(`${title}: without an answer of the acquirer that is reported or stays unresolved, and no other discrepancy is reported`, () => {
      fc.assert(
        fc.property(tampered, ({ records, expected, doubts }) => {
          const { discrepancies, unresolved } = compare(records, true)
          const isNamed = (found: Discrepancy): boolean => discrepancies.some((each) => isDeepStrictEqual(each, found))
          const open = byName(unresolved)
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

  test('an entry that does not balance and that the acquirer does not have is two discrepancies', () => {
    const movement = charge('ghost')
    const entry = entryOf(movement, 10, { balanceYen: 10 })
    const judgement = judgeMovement(movement, { entries: [entry], checkoutId: null, requested: null }, null)
    if (judgement.is !== 'discrepant') assert.fail(judgement.is)
    assert.deepEqual(
      judgement.discrepancies.map(({ kind }) => kind),
      ['unbalanced', 'missing at acquirer'],
    )
  })

  test('a discrepancy inside our ledger is reported although the acquirer does not answer, and so is the missing answer', () => {
    const movement = charge('ghost')
    const entries = [entryOf(movement, 10, { balanceYen: 10 }), entryOf(movement, 10, { merchantId: 'books' })]
    const checkoutId = checkoutOf('ghost')
    const judgement = judgeMovement(movement, { entries, checkoutId, requested: requestedAs(10, 'unknown') }, NO_ANSWER)
    assert.deepEqual(judgement, {
      is: 'unresolved',
      unresolved: { kind: 'unanswered', movement, checkoutId, why: 'HTTP 500' },
      discrepancies: [
        { kind: 'unbalanced', entry: 'charge ghost', checkoutId, balanceYen: 10 },
        { kind: 'missing at acquirer', movement, checkoutId, ourYen: 10 },
      ],
    })
  })

  test('a charge that is in doubt here and listed twice by the acquirer is a discrepancy and a doubt', () => {
    const line = lineOf(charge('o'), 10)
    const checkoutId = checkoutOf('o')
    const requested = new Map([['charge o', { checkoutId, ...requestedAs(10, 'unknown') }]])
    const { discrepancies, unresolved } = compare({ entries: [], requested, statement: [line, line] })
    assert.deepEqual(discrepancies, [{ kind: 'listed twice', movement: charge('o'), checkoutId, listedYen: [10, 10] }])
    assert.deepEqual(
      unresolved.map(({ kind }) => kind),
      ['in doubt'],
    )
  })

  test('an order loses none of its refunds, in whatever order the statement lists them and its charge', () => {
    const matching = createStatementMatching()
    const listed = [refund('o', 'b'), charge('o'), refund('o', 'a'), charge('o')].map((each) => lineOf(each, 10))
    for (const line of listed) matching.addStatementLine(line)
    assert.deepEqual([...matching.unmatchedLines()], listed.slice(0, 3))
    assert.deepEqual(matching.listedTwice(charge('o')), [10, 10])
    assert.equal(matching.listedTwice(refund('o', 'a')), null)
    assert.equal(matching.listedTwice(charge('other')), null)
  })

  test('a refund of another order, or of another refund id, does not match', () => {
    const matching = createStatementMatching()
    matching.addStatementLine(lineOf(refund('o', 'a'), 10))
    assert.equal(matching.matchEntry(entryOf(refund('o', 'b'), 10)), false)
    assert.equal(matching.matchEntry(entryOf(refund('p', 'a'), 10)), false)
    assert.equal(matching.matchEntry(entryOf(refund('o', 'a'), 10)), true)
  })
})
