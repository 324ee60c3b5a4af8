/** Changing proxy: stands between the browser and the server, and changes answers on their way. */
import { once } from 'node:events'
import { createServer, request, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'

export interface Answer {
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** Gives an answer as the browser is to see it. */
export type Change = (path: string, answer: Answer) => Answer

export interface ChangingProxy {
  change: Change
  stop(): Promise<void>
}

export const unchanged: Change = (_path, answer) => answer

/** Without these headers: as if the server had never sent them. */
export const withoutHeaders =
  (...names: readonly string[]): Change =>
  (_path, { headers, body }) => ({
    headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name))),
    body,
  })

/** Every header by which the server limits what a page of it may do. */
export const POLICY_HEADERS = [
  'content-security-policy',
  'integrity-policy',
  'connection-allowlist',
  'permissions-policy',
  'cross-origin-opener-policy',
  'cross-origin-resource-policy',
  'referrer-policy',
  'x-dns-prefetch-control',
]

/** Longer than any client keeps an idle connection. */
const KEEP_ALIVE_MS = 600_000

export const startChangingProxy = async (port: number, serverPort: number): Promise<ChangingProxy> => {
  const proxy: ChangingProxy = {
    change: unchanged,
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  const forward = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const { method, url: path = '/' } = incoming
    // Uncompressed: neither a compressed answer nor the copy that the build has made of a script can be changed.
    const { 'accept-encoding': _compressed, ...headers } = incoming.headers
    // A connection of its own: one that is kept may be closed just when it is used again.
    const onward = request({ host: '127.0.0.1', port: serverPort, method, path, headers, agent: false })
    incoming.pipe(onward)
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      onward.on('response', resolve).on('error', reject)
    })
    const { headers: changed, body } = proxy.change(path, { headers: answer.headers, body: await buffer(answer) })
    const { 'transfer-encoding': _encoding, ...rest } = changed
    outgoing.writeHead(answer.statusCode ?? 502, { ...rest, 'content-length': String(body.length) }).end(body)
  }
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (incoming, outgoing) => {
    forward(incoming, outgoing).catch(() => outgoing.destroy())
  }).listen(port, '127.0.0.1')
  await once(server, 'listening')
  return proxy
}
