/**
 * Loopback proxy: leads every host name to this machine, for a browser that does not resolve `*.localhost` itself. It can
 * lose files, and lets none be kept.
 */
import { once } from 'node:events'
import { createServer, request } from 'node:http'

export interface LoopbackProxy {
  readonly port: number
  /** From now on connections for these addresses are cut; null: none. */
  lose(files: RegExp | null): void
  stop(): void
}

export const startLoopbackProxy = async (): Promise<LoopbackProxy> => {
  let lost: RegExp | null = null
  const proxy = createServer((incoming, outgoing) => {
    if (lost?.test(incoming.url ?? '') === true) {
      outgoing.destroy()
      return
    }
    const { port, host, pathname, search } = new URL(incoming.url ?? '')
    const headers = { ...incoming.headers, host }
    const onward = request({ host: '127.0.0.1', port, method: incoming.method, path: pathname + search, headers })
    onward.on('response', (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, { ...answer.headers, 'cache-control': 'no-store' })
      answer.pipe(outgoing)
    })
    onward.on('error', () => outgoing.destroy())
    incoming.pipe(onward)
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const address = proxy.address()
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port')
  return {
    port: address.port,
    lose: (files) => {
      lost = files
    },
    stop: () => {
      proxy.closeAllConnections()
      proxy.close()
    },
  }
}
