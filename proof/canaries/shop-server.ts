/** Shop server: takes the webhooks of the server under scan, keeps each request for the scanner, and answers with what it was sent. */
import { once } from 'node:events'
import http from 'node:http'
import { text } from 'node:stream/consumers'
import { Type } from 'typebox'
import { systemClock } from '../../server/dependencies.ts'
import type { Database } from '../../server/store/engine/database.ts'
import { listenOnFreePort } from '../harness/server-process.ts'
import { textOutput } from './server-outputs.ts'
import type { ServerOutput } from './scanner.ts'
import { merchantCall, parseBody, type FlowContext } from './shopper-requests.ts'

/** Where what it received is found. */
const WEBHOOK_PLACE = 'webhook requests'

interface ShopServer {
  readonly received: readonly ServerOutput[]
  /** Registers endpoints that take and that refuse, of both modes: the checkouts of unpublished numbers are live. */
  registerEndpoints(context: FlowContext): Promise<void>
  close(): Promise<void>
}

/** Random, and never a canary: eleven digits in a row of them would look like a leak. */
const withoutSignature = (headers: http.IncomingHttpHeaders): string =>
  Object.entries(headers)
    .filter(([name]) => name !== 'webhook-signature')
    .map(([name, value]) => `${name}: ${String(value)}`)
    .join('\n')

const Registered = Type.Object({ id: Type.String() })

const ENDPOINTS = [
  { path: '/taken', mode: 'test' },
  { path: '/taken', mode: 'live' },
  { path: '/refused', mode: 'test' },
  { path: '/refused', mode: 'live' },
] as const

export const startShopServer = async (): Promise<ShopServer> => {
  const received: ServerOutput[] = []
  const server = http.createServer((request, response) => {
    void text(request).then((body) => {
      received.push(textOutput(WEBHOOK_PLACE, `${request.url}\n${withoutSignature(request.headers)}\n${body}`))
      // The answer is stored with the try: what was sent is then read back out of the database too.
      return response.writeHead(request.url === '/taken' ? 200 : 500).end(body)
    })
  })
  const port = await listenOnFreePort(server)
  return {
    received,
    registerEndpoints: async (context) => {
      for (const { path, mode } of ENDPOINTS) {
        const made = await merchantCall(context, '/webhooks', { url: `http://127.0.0.1:${port}${path}` })
        if (made.status !== 201) throw new Error(`an endpoint was not registered: ${made.body}`)
        const { id } = parseBody(Registered, made)
        await context.database.transact((sql) =>
          sql.rows('UPDATE webhook_endpoints SET mode = $1 WHERE id = $2', mode, id),
        )
      }
    },
    close: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

const SENT_TIMEOUT_MS = 30_000

/** Until every event was tried at least once at each endpoint, and every mail that no killed server has claimed was sent. */
export const waitUntilTold = async (database: Database): Promise<void> => {
  const deadline = systemClock.now() + SENT_TIMEOUT_MS
  for (;;) {
    const waiting = await database.rows(
      `SELECT id FROM events WHERE fanned_out_at IS NULL
       UNION ALL SELECT event_id FROM deliveries WHERE state = 'pending' AND step = 0
       UNION ALL SELECT id FROM mails WHERE state = 'waiting' AND tries = 0`,
    )
    if (waiting.length === 0) return
    if (systemClock.now() > deadline) throw new Error(`${waiting.length} events and mails were not sent`)
    await systemClock.sleep(200)
  }
}
