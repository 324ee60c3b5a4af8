/** Scripted Stripe for tests: answers each request as the test says, and keeps what it received. */
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { TestContext } from 'node:test'
import type { StripeAccount } from '../client.ts'

export interface ReceivedRequest {
  readonly method: string
  /** Without the query. */
  readonly path: string
  readonly query: string
  readonly body: string
  readonly headers: IncomingHttpHeaders
}

export type ScriptedAnswer =
  | 'silence'
  | 'connection lost'
  | { readonly status: number; readonly body: unknown; readonly headers?: Readonly<Record<string, string>> }

export interface ScriptedStripe {
  readonly account: StripeAccount & { readonly apiBase: string }
  readonly received: ReceivedRequest[]
}

const textOf = async (stream: AsyncIterable<Buffer>): Promise<string> => {
  const parts: Buffer[] = []
  for await (const part of stream) parts.push(part)
  return Buffer.concat(parts).toString('utf8')
}

export const startScriptedStripe = async (
  t: TestContext,
  answer: (request: ReceivedRequest) => ScriptedAnswer,
): Promise<ScriptedStripe> => {
  const received: ReceivedRequest[] = []
  const respond = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const { method = '', url = '', headers } = incoming
    const [path = '', query = ''] = url.split('?')
    const request = { method, path, query, body: await textOf(incoming), headers }
    received.push(request)
    const scripted = answer(request)
    if (scripted === 'silence') return
    if (scripted === 'connection lost') incoming.socket.destroy()
    else {
      const text = typeof scripted.body === 'string' ? scripted.body : JSON.stringify(scripted.body)
      outgoing.writeHead(scripted.status, scripted.headers).end(text)
    }
  }
  const server = createServer((incoming, outgoing) => void respond(incoming, outgoing)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the scripted Stripe has no port')
  return { account: { apiBase: `http://127.0.0.1:${address.port}`, secretKey: 'rk_test_12345678' }, received }
}
