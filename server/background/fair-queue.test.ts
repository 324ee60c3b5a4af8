import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createFairQueue, type FairQueue } from './fair-queue.ts'

interface Due {
  readonly merchant: string
  readonly endpoint: string
  readonly nth: number
}

interface Begun extends Due {
  end(): Promise<void>
}

/** A queue whose work ends when the test says so: time is the order of these calls. */
const openQueue = ({ concurrency = 8, perGroup = 6, reserved = 0 } = {}) => {
  const begun: Begun[] = []
  const underWay = new Set<Begun>()
  const queue: FairQueue<Due> = createFairQueue<Due>({
    concurrency,
    perGroup,
    reserved,
    keyOf: ({ merchant, endpoint, nth }) => `${merchant} ${endpoint} ${nth}`,
    groupOf: ({ merchant }) => merchant,
    subgroupOf: ({ endpoint }) => endpoint,
    work: (due) => {
      const { promise, resolve } = Promise.withResolvers<void>()
      const work: Begun = {
        ...due,
        end: async () => {
          underWay.delete(work)
          resolve()
          // The queue starts the next one in the reaction to this promise.
          await promise
          await Promise.resolve()
        },
      }
      begun.push(work)
      underWay.add(work)
      return promise
    },
  })
  return { queue, begun, underWay }
}

const dueOf = (merchant: string, endpoint: string, count: number): Due[] =>
  Array.from({ length: count }, (_none, nth) => ({ merchant, endpoint, nth }))

/** How many of each name. */
const countBy = <T>(items: Iterable<T>, nameOf: (item: T) => string): Map<string, number> => {
  const counts = new Map<string, number>()
  for (const item of items) counts.set(nameOf(item), (counts.get(nameOf(item)) ?? 0) + 1)
  return counts
}

test('while any number of slow merchants holds all places, a delivery of another merchant begins as soon as one place is free', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 2, max: 12 }),
      fc.integer({ min: 1, max: 16 }),
      fc.nat(),
      async (merchants, endpoints, which) => {
        const { queue, begun, underWay } = openQueue({ concurrency: 16, perGroup: 12 })
        const names = (count: number): string[] => Array.from({ length: count }, (_none, at) => `slow ${at}`)
        queue.add(
          names(merchants).flatMap((merchant) => names(endpoints).flatMap((endpoint) => dueOf(merchant, endpoint, 12))),
        )
        assert.equal(underWay.size, 16)
        queue.add(dueOf('healthy', 'its endpoint', 1))
        assert.equal(begun.length, 16)
        await [...underWay][which % 16]?.end()
        assert.equal(begun.at(-1)?.merchant, 'healthy')
        assert.equal(underWay.size, 16)
      },
    ),
    { numRuns: 200 },
  )
})

test('while a few merchants have all places but the reserved ones, those begin at once for merchants that have none, one for each', () => {
  const { queue, begun, underWay } = openQueue({ concurrency: 8, perGroup: 6, reserved: 2 })
  queue.add([...dueOf('slow', '1', 9), ...dueOf('slower', '1', 9)])
  assert.deepEqual([underWay.size, begun.length], [6, 6])
  queue.add(dueOf('tea', '1', 3))
  queue.add([...dueOf('books', '1', 3), ...dueOf('late', '1', 1)])
  assert.deepEqual(
    begun.slice(6).map(({ merchant }) => merchant),
    ['tea', 'books'],
  )
})

test('in any order of arrivals and ends each work is done once, within the limits, and no merchant or endpoint begins before one that has fewer under way', async () => {
  const step = fc.oneof(
    fc.record({
      merchant: fc.constantFrom('a', 'b', 'c', 'd'),
      endpoint: fc.constantFrom('1', '2', '3'),
      count: fc.integer({ min: 1, max: 6 }),
    }),
    fc.record({ ends: fc.nat() }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const limits = { concurrency: 5, perGroup: 3 }
      const { queue, begun, underWay } = openQueue(limits)
      const added = new Map<string, Due>()
      const nameOf = ({ merchant, endpoint, nth }: Due) => `${merchant} ${endpoint} ${nth}`
      const isFair = (next: Begun, before: readonly Due[]): void => {
        const done = new Set(begun.slice(0, begun.indexOf(next)).map(nameOf))
        const waiting = [...added.values()].filter((due) => !done.has(nameOf(due)))
        const ofMerchant = countBy(before, ({ merchant }) => merchant)
        const ofEndpoint = countBy(before, ({ merchant, endpoint }) => `${merchant} ${endpoint}`)
        const mine = ofMerchant.get(next.merchant) ?? 0
        assert.ok(mine < limits.perGroup)
        for (const other of waiting) {
          assert.ok(mine <= (ofMerchant.get(other.merchant) ?? 0))
          if (other.merchant === next.merchant)
            assert.ok(
              (ofEndpoint.get(`${next.merchant} ${next.endpoint}`) ?? 0) <=
                (ofEndpoint.get(`${other.merchant} ${other.endpoint}`) ?? 0),
            )
        }
      }
      for (const each of steps) {
        const count = begun.length
        if ('ends' in each) await [...underWay][each.ends % Math.max(1, underWay.size)]?.end()
        else {
          const more = dueOf(each.merchant, each.endpoint, each.count)
          for (const due of more) added.set(nameOf(due), due)
          queue.add(more)
        }
        const fresh = begun.slice(count)
        for (const [place, next] of fresh.entries())
          isFair(
            next,
            [...underWay].filter((due) => !fresh.includes(due) || fresh.indexOf(due) < place),
          )
        assert.ok(underWay.size <= limits.concurrency)
      }
      while (underWay.size > 0) for (const work of [...underWay]) await work.end()
      await queue.idle()
      assert.deepEqual(begun.map(nameOf).toSorted(), [...added.keys()].toSorted())
      assert.equal(queue.begun, added.size)
      queue.forgetTried()
      assert.equal(queue.begun, 0)
    }),
    { numRuns: 300 },
  )
})

test('a queue that is closed starts nothing more, and is closed when what was under way has ended', async () => {
  const { queue, begun, underWay } = openQueue({ concurrency: 2 })
  queue.add(dueOf('tea', '1', 5))
  const closed = queue.close()
  for (const work of [...underWay]) await work.end()
  await closed
  assert.equal(begun.length, 2)
  assert.equal(queue.add(dueOf('tea', '2', 1)), false)
})

test('what one more merchant waits for costs the queue as many looks with ten thousand waiting merchants as with ten', async () => {
  const looksWith = async (merchants: number): Promise<number> => {
    let looks = 0
    let end: () => void = () => {}
    const queue = createFairQueue<number>({
      concurrency: 1,
      perGroup: 1,
      keyOf: String,
      groupOf: (due) => {
        looks += 1
        return String(due)
      },
      work: () => new Promise((resolve) => (end = resolve)),
    })
    queue.add(Array.from({ length: merchants }, (_none, at) => at))
    looks = 0
    for (let ended = 0; ended < 5; ended += 1) {
      end()
      await Promise.resolve()
      await Promise.resolve()
    }
    return looks
  }
  assert.equal(await looksWith(10_000), await looksWith(10))
})
