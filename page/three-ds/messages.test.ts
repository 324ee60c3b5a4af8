import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { acceptMessage, type MessageFilter, type UntrustedMessage } from './messages.ts'

const BRIDGE = 'http://3ds.localhost:3000'
const SECOND = 'https://3ds.provider.example'
const ORDER = 'q7'
const COLLECT = { name: 'collect frame' }
const MONITOR = { name: 'monitor frame' }
const FILTER: MessageFilter = { messageDomains: [BRIDGE, SECOND], frames: [COLLECT, MONITOR, null], orderCode: ORDER }

const good = { origin: BRIDGE, source: COLLECT, data: { event: '3DS_DO_AUTH', order_code: ORDER } }

test('the bridge’s own message about the current order is accepted, in snake or camel case', () => {
  const accepted = { event: '3DS_DO_AUTH', orderCode: ORDER }
  assert.deepEqual(acceptMessage(good, FILTER), accepted)
  assert.deepEqual(acceptMessage({ ...good, data: { event: '3DS_DO_AUTH', orderCode: ORDER } }, FILTER), accepted)
  assert.deepEqual(acceptMessage({ ...good, data: { ...good.data, check_code: 'x', other: [1] } }, FILTER), accepted)
  const bare: unknown = Object.assign(Object.create(null), good.data)
  assert.deepEqual(acceptMessage({ ...good, data: bare }, FILTER), accepted)
  const ready = { event: '3DS_AUTH_RESULT_READY', order_code: ORDER }
  assert.deepEqual(acceptMessage({ ...good, data: ready }, FILTER), {
    event: '3DS_AUTH_RESULT_READY',
    orderCode: ORDER,
  })
})

test('messages are accepted from both domains and their subdomains, from every frame on the page', () => {
  for (const origin of [
    BRIDGE,
    'http://a.3ds.localhost:3000',
    'http://b.a.3ds.localhost:3000',
    SECOND,
    'https://eu.3ds.provider.example',
  ]) {
    for (const source of [COLLECT, MONITOR]) assert.ok(acceptMessage({ ...good, origin, source }, FILTER), origin)
  }
})

test('an unknown event name is "any other message", if it is about our order', () => {
  for (const event of ['3ds_do_auth', '3DS_DO_AUTH ', 'AuthResultReady', '', 'toString', '__proto__']) {
    const data = { event, order_code: ORDER }
    assert.deepEqual(acceptMessage({ ...good, data }, FILTER), { event: 'other', orderCode: ORDER }, event)
    assert.equal(acceptMessage({ ...good, data: { event, order_code: 'q8' } }, FILTER), undefined, event)
  }
})

const FOREIGN_ORIGINS = [
  'http://evil3ds.localhost:3000',
  'http://3ds.localhost.evil.test',
  'http://3ds.localhost.evil.test:3000',
  'http://3ds.localhost',
  'http://3ds.localhost:3001',
  'http://3ds.localhost:30000',
  'https://3ds.localhost:3000',
  'ws://3ds.localhost:3000',
  'http://localhost:3000',
  'http://demo.localhost:3000',
  'http://3ds.localhost.:3000',
  'http://3ds.localhost:3000/',
  'http://3ds.localhost:3000.evil.test',
  'http://3ds.localhost:3000@evil.test',
  'http://evil.test/?http://3ds.localhost:3000',
  'http://evil.test#.3ds.localhost:3000',
  'HTTP://3DS.LOCALHOST:3000',
  ' http://3ds.localhost:3000',
  'http://3ds%2elocalhost:3000',
  'http://3ds。localhost:3000',
  'blob:http://3ds.localhost:3000',
  'http://3ds.provider.example',
  'https://3ds.provider.example:8443',
  'https://provider.example',
  'https://evil3ds.provider.example',
  'https://3ds.provider.example.evil.test',
  'null',
  '',
  'undefined',
  '*',
  'file://',
  'about:blank',
  'data:',
]

const throwing = (): never => {
  throw new Error('do not touch')
}

/** Objects that are not what the bridge sends, though each contains the right values somewhere. */
const WRONG_SHAPES: readonly unknown[] = [
  undefined,
  null,
  7,
  true,
  '',
  JSON.stringify(good.data),
  '3DS_DO_AUTH',
  [],
  [good.data],
  Object.assign([], good.data),
  Object.assign(() => undefined, good.data),
  new Map(Object.entries(good.data)),
  Object.assign(new Map(), good.data),
  Object.assign(new Date(0), good.data),
  Object.assign(new Error('x'), good.data),
  Object.create(good.data),
  Object.setPrototypeOf({ ...good.data }, { order_code: ORDER }),
  Object.setPrototypeOf({ event: '3DS_DO_AUTH' }, Object.assign(Object.create(null), { order_code: ORDER })),
  JSON.parse(`{"__proto__":${JSON.stringify(good.data)}}`),
  { data: good.data },
  { event: '3DS_DO_AUTH' },
  { order_code: ORDER },
  { event: 7, order_code: ORDER },
  { event: ['3DS_DO_AUTH'], order_code: ORDER },
  { event: new String('3DS_DO_AUTH'), order_code: ORDER },
  { event: '3DS_DO_AUTH', order_code: [ORDER] },
  { event: '3DS_DO_AUTH', order_code: `${ORDER} ` },
  { event: '3DS_DO_AUTH', order_code: ORDER.toUpperCase() },
  { event: '3DS_DO_AUTH', order_code: '' },
  { event: '3DS_DO_AUTH', order_code: null },
  { event: '3DS_DO_AUTH', ordercode: ORDER },
  { event: '3DS_DO_AUTH', Order_code: ORDER },
  { EVENT: '3DS_DO_AUTH', order_code: ORDER },
  { event: '3DS_DO_AUTH', order_code: 'q8', orderCode: ORDER },
  { event: '3DS_DO_AUTH', orderCode: ORDER, order_code: 'q8' },
  {
    order_code: ORDER,
    get event() {
      return throwing()
    },
  },
  {
    event: '3DS_DO_AUTH',
    get order_code() {
      return ORDER
    },
  },
  new Proxy({ ...good.data }, { getPrototypeOf: throwing }),
  new Proxy({ ...good.data }, { ownKeys: throwing }),
  new Proxy({ ...good.data }, { getOwnPropertyDescriptor: throwing }),
  new Proxy({}, { get: (_, key) => (key === 'event' ? '3DS_DO_AUTH' : ORDER) }),
]

const origins = fc.oneof(
  fc.constantFrom(...FOREIGN_ORIGINS),
  fc.webUrl(),
  fc.domain().map((host) => `http://${host}:3000`),
  fc.domain().map((host) => `http://3ds.localhost.${host}:3000`),
  fc.stringMatching(/^[a-z0-9-]{1,12}$/).map((start) => `http://${start}3ds.localhost:3000`),
  fc
    .integer({ min: 1, max: 65_535 })
    .filter((port) => port !== 3000)
    .map((port) => `http://3ds.localhost:${port}`),
  fc.string(),
)
const sources = fc.constantFrom<unknown>(undefined, null, {}, { ...COLLECT }, globalThis, 'collect frame', [COLLECT])
const anything = fc.anything({ maxDepth: 1, maxKeys: 3, withNullPrototype: true, withMap: true, withBoxedValues: true })
const anyData = fc.oneof(fc.constant<unknown>(good.data), fc.constantFrom(...WRONG_SHAPES), anything)
const strangeData = fc.oneof(
  fc.constantFrom(...WRONG_SHAPES),
  fc.record({ event: fc.string(), order_code: fc.string().filter((code) => code !== ORDER) }),
  anything,
)

/** One thing is wrong, or more; everything else is right. */
const forged: fc.Arbitrary<UntrustedMessage> = fc.oneof(
  fc.record({ origin: origins, source: fc.constantFrom<unknown>(COLLECT, MONITOR), data: anyData }),
  fc.record({ origin: fc.constantFrom(BRIDGE, SECOND), source: sources, data: anyData }),
  fc.record({ origin: fc.constantFrom(BRIDGE, SECOND), source: fc.constant<unknown>(COLLECT), data: strangeData }),
  fc.record({ origin: origins, source: sources, data: anyData }),
)

test('of 100,000 forged messages none is accepted', () => {
  let seen = 0
  fc.assert(
    fc.property(forged, (message) => {
      seen += 1
      assert.equal(acceptMessage(message, FILTER), undefined)
    }),
    { numRuns: 100_000 },
  )
  assert.equal(seen, 100_000)
})

test('each listed forgery is refused although it has only one fault', () => {
  for (const origin of FOREIGN_ORIGINS) assert.equal(acceptMessage({ ...good, origin }, FILTER), undefined, origin)
  for (const [place, data] of WRONG_SHAPES.entries()) {
    assert.equal(acceptMessage({ ...good, data }, FILTER), undefined, `shape ${place}`)
  }
  for (const source of [undefined, null, {}, { ...COLLECT }])
    assert.equal(acceptMessage({ ...good, source }, FILTER), undefined)
})

test('a removed frame, another order or an unset domain accepts nothing', () => {
  assert.equal(acceptMessage(good, { ...FILTER, frames: [MONITOR] }), undefined)
  assert.equal(acceptMessage(good, { ...FILTER, frames: [] }), undefined)
  assert.equal(acceptMessage(good, { ...FILTER, orderCode: 'q8' }), undefined)
  assert.equal(acceptMessage(good, { ...FILTER, messageDomains: [] }), undefined)
  for (const domain of ['', '*', 'null', '3ds.localhost:3000', `${BRIDGE}/`, `${BRIDGE}/path`]) {
    assert.equal(acceptMessage(good, { ...FILTER, messageDomains: [domain] }), undefined, domain)
    assert.equal(acceptMessage({ ...good, origin: domain }, { ...FILTER, messageDomains: [domain] }), undefined, domain)
  }
})

test('a message from another origin or frame is refused before its data is read', () => {
  let isRead = false
  const data = new Proxy(
    { ...good.data },
    {
      ownKeys: (t) => {
        isRead = true
        return Reflect.ownKeys(t)
      },
    },
  )
  assert.equal(acceptMessage({ ...good, data, origin: 'https://evil.test' }, FILTER), undefined)
  assert.equal(acceptMessage({ ...good, data, source: {} }, FILTER), undefined)
  assert.equal(isRead, false)
})
