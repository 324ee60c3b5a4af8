import assert from 'node:assert/strict'
import { test } from 'node:test'
import { learn, stepsOf } from './episode.ts'
import { bytesOf, type FuzzSite, type KnownIds } from './fuzz-request.ts'
import { countAnswers, errorLines, unreachedRoutes } from './log-lines.ts'
import { routesIn } from './route-table.ts'

const SITE: FuzzSite = { port: 1, base: 'localhost:3000', merchant: 'tea', key: 'k', asset: '/assets/a.js' }
const ids = (): KnownIds => ({
  checkoutId: '',
  orderCode: '',
  ticket: '',
  refundId: '',
  linkId: '',
  webhookId: '',
  eventId: '',
})
const ID = 'a'.repeat(32)

const textOf = (seed: number, episode: number): string =>
  [...stepsOf(SITE, seed, episode, ids())]
    .map((step) => (step.kind === 'raw' ? step.raw.bytes : bytesOf(step.request)).toString('latin1'))
    .join('\n')

test('an episode is the same bytes again, and another seed or number is another episode', () => {
  assert.equal(textOf(1, 5), textOf(1, 5))
  assert.notEqual(textOf(1, 5), textOf(1, 6))
  assert.notEqual(textOf(1, 5), textOf(2, 5))
})

test('ids that the server has answered with are used from then on', () => {
  const known = ids()
  const steps = stepsOf(SITE, 1, 0, known)
  steps.next()
  learn(known, { status: 201, headers: new Map(), body: `{"id":"${ID}","url":"x"}` })
  const link = `{"id":"${'d'.repeat(32)}","url":"https://tea.localhost/links/x"}`
  learn(known, { status: 201, headers: new Map(), body: link })
  const start = `{"orderCode":"${'b'.repeat(32)}","collectUrl":"http://3ds.x/collect/${'c'.repeat(64)}"}`
  learn(known, { status: 200, headers: new Map(), body: start })
  learn(known, { status: 201, headers: new Map(), body: '{"refundId":"r-2","checkoutId":"x"}' })
  learn(known, { status: 200, headers: new Map(), body: `{"items":[{"id":"we_${ID}"` })
  learn(known, { status: 200, headers: new Map(), body: `{"items":[{"id":"evt_${ID}"` })
  assert.deepEqual(known, {
    checkoutId: ID,
    orderCode: 'b'.repeat(32),
    ticket: 'c'.repeat(64),
    refundId: 'r-2',
    linkId: 'd'.repeat(32),
    webhookId: `we_${ID}`,
    eventId: `evt_${ID}`,
  })
  const targets = [...steps].flatMap((step) => (step.kind === 'request' ? [step.request.target] : []))
  for (const part of [
    `/checkouts/${ID}/3ds`,
    `/3ds/${'b'.repeat(32)}/authenticate`,
    `/events/${'c'.repeat(64)}`,
    `/checkouts/${ID}/refunds/r-2`,
  ])
    assert.ok(
      targets.some((target) => target.includes(part)),
      part,
    )
})

test('the route table is read from what Fastify prints, and a line that cannot be read is not passed over', () => {
  const printed = '└── / (GET, HEAD)\n    ├── api/\n    │   └── :id (GET, HEAD, DELETE)\n    └── b (POST)\n'
  assert.deepEqual(routesIn(printed), ['DELETE /api/:id', 'GET /', 'GET /api/:id', 'POST /b'])
  assert.throws(() => routesIn('+-- / (GET)\n'), /in a new way/)
})

test('errors, alarms and words of Node are error lines; a route counts as reached by its own status alone', () => {
  const answered = '{"level":"info","time":"t","call":"GET /healthz","status":200,"ms":1,"msg":"answered"}'
  const failed = '{"level":"error","time":"t","msg":"a call failed"}'
  const warning = '(node:1) MaxListenersExceededWarning: leak'
  assert.deepEqual(errorLines([answered, failed, warning, '']), [failed, warning])
  const unreached = (lines: string[]) =>
    unreachedRoutes(countAnswers(lines)).filter((each) => each.includes('/healthz'))
  assert.deepEqual(unreached(Array.from({ length: 5 }, () => answered)), [])
  assert.deepEqual(unreached(Array.from({ length: 5 }, () => answered.replace('200', '404'))), ['GET /healthz 200: 0'])
})
