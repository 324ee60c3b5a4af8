import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { test, type TestContext } from 'node:test'
import { CRASHES, FAULTS, openFaultLine, type Fault } from './fault-line.ts'

/** An acquirer that books every request that it gets, behind a fault line. */
const openBookingAcquirer = async (t: TestContext) => {
  const booked: string[] = []
  const acquirer = createServer((incoming, outgoing) => {
    incoming.resume()
    booked.push(incoming.url ?? '')
    outgoing.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ charge: booked.length }))
  }).listen(0, '127.0.0.1')
  await once(acquirer, 'listening')
  const address = acquirer.address()
  if (address === null || typeof address === 'string') assert.fail('the acquirer has no port')
  const faults = await openFaultLine(`http://127.0.0.1:${address.port}`)
  t.after(async () => {
    await faults.close()
    acquirer.closeAllConnections()
    acquirer.close()
  })
  const hungUp = new AbortController()
  const send = async (path: string): Promise<string> => {
    try {
      const response = await fetch(`${faults.origin}${path}`, { method: 'POST', body: '{}', signal: hungUp.signal })
      return `${response.status} ${await response.text()}`
    } catch {
      return 'no answer'
    }
  }
  return { booked, faults, send, hangUp: () => hungUp.abort() }
}

const BAD_GATEWAY = '502 <html><title>502 Bad Gateway</title></html>'

/** What the adapter sees, how often the acquirer gets the request at once, and how often once late requests have come. */
const EXPECTED: Readonly<Record<Fault, readonly [seen: string, booked: number, bookedLate: number]>> = {
  'answer swallowed': ['no answer', 1, 1],
  'dropped before the acquirer': ['no answer', 0, 0],
  '5xx after booking': [BAD_GATEWAY, 1, 1],
  '5xx before booking': [BAD_GATEWAY, 0, 0],
  delayed: ['no answer', 1, 1],
  duplicated: ['200 {"charge":1}', 2, 2],
  late: ['no answer', 0, 1],
  'crash before the request': ['no answer', 0, 0],
  'crash before the answer': ['no answer', 1, 1],
}

for (const fault of [...FAULTS, ...CRASHES])
  test(`a charge that meets "${fault}" is booked as often as the fault says, and no other request meets it`, async (t) => {
    const { booked, faults, send, hangUp } = await openBookingAcquirer(t)
    assert.equal(await send('/before'), '200 {"charge":1}')
    booked.length = 0
    faults.meetNext(({ method, path }) => method === 'POST' && path === '/charge', fault)
    assert.ok(!faults.isMet())
    const sending = send('/charge')
    if (fault === 'delayed') {
      // It is booked, and its answer comes only after the adapter has hung up.
      while (!booked.includes('/charge')) await send('/other')
      hangUp()
    }
    const [seen, atOnce, atLast] = EXPECTED[fault]
    assert.equal(await sending, seen)
    assert.ok(faults.isMet())
    const bookings = (): number => booked.filter((path) => path === '/charge').length
    assert.equal(bookings(), atOnce)
    await faults.deliverLate()
    assert.equal(bookings(), atLast)
    const isCrash = CRASHES.some((crash) => crash === fault)
    assert.equal(faults.isCrashed(), isCrash)
    if (isCrash) assert.equal(await send('/after'), 'no answer')
    await faults.repeatAll()
    assert.equal(bookings(), atLast + 1)
    assert.ok(!booked.includes('/after'))
  })
