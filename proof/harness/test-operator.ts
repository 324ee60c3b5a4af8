/** Test operator: a server with an operator of the installation, who makes calls of the console. No acquirer answers. */
import type { LightMyRequestResponse } from 'fastify'
import { listAuditLines } from '../../server/store/people/audit.ts'
import { fakeGateway } from './fake-gateway.ts'
import { virtualClock } from './test-clocks.ts'
import { consoleHeaders, openSession, savePersonWithPasskey } from './test-people.ts'
import { createTestApp, openTestServer, type TestServer } from './test-server.ts'

export interface TestOperator {
  readonly server: TestServer
  readonly app: TestServer['app']
  /** A call under /console/v1/operator. */
  readonly call: (method: 'GET' | 'POST', path: string, body?: object) => Promise<LightMyRequestResponse>
  /** The audit list of a shop, each line in words. */
  readonly audited: (label: string) => Promise<string[]>
}

export const openTestOperator = async (more: Parameters<typeof createTestApp>[2] = {}): Promise<TestOperator> => {
  const gateway = fakeGateway()
  gateway.charge = async () => ({ outcome: 'unknown', why: 'timeout' })
  gateway.inquire = async () => ({ outcome: 'unknown', why: 'timeout' })
  const server = await openTestServer({ gateway, clock: virtualClock() })
  const { database } = server.deps
  const app = await createTestApp(server.deps, null, more)
  const operator = await savePersonWithPasskey(database, { name: 'operator', isOperator: true }, server.clock.now())
  return {
    server,
    app,
    call: async (method, path, body) => {
      const headers = consoleHeaders(await openSession(database, operator, server.clock.now()), { merchant: '' })
      return app.inject({ method, url: `/console/v1/operator${path}`, headers, ...(body && { payload: body }) })
    },
    audited: async (label) => {
      const [shop] = await database.rows('SELECT id FROM merchants WHERE label = $1', label)
      const page = await listAuditLines(database, String(shop?.['id']), { after: null, limit: 10 })
      return page.items.map(({ action, person }) => `${action} by ${person.name}`)
    },
  }
}
