/** Control server: serves the control pages and the shop's pictures over HTTP on loopback, as the program does its page. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { brotliCompressSync } from 'node:zlib'
import { listenOnFreePort } from '../../proof/harness/server-process.ts'

export interface ControlFile {
  readonly body: Buffer
  readonly mediaType: string
}

/**
 * As the program's page: a browser gives such a page a process of its own, once it has read that it wants one. Without them
 * a control would be shown by a process that was there before, which is a safety it lacks and not a speed it has.
 */
const ISOLATION = {
  'cross-origin-opener-policy': 'same-origin-allow-popups',
  'origin-agent-cluster': '?1',
}

/** Brotli alone: the browser of the bench takes it, and what a static page costs is its smallest form. */
const encoded = ({ body, mediaType }: ControlFile): { bytes: Buffer; headers: Record<string, string> } =>
  mediaType.startsWith('text/')
    ? {
        bytes: brotliCompressSync(body),
        headers: { 'content-type': mediaType, 'content-encoding': 'br', ...ISOLATION },
      }
    : { bytes: body, headers: { 'content-type': mediaType } }

/** The files by their path. Every one is compressed once, before the first visit. */
export const startControlServer = async (files: ReadonlyMap<string, ControlFile>) => {
  const ready = new Map([...files].map(([path, file]) => [path, encoded(file)]))
  const server = createServer((request, response) => {
    const file = ready.get(request.url ?? '')
    if (file === undefined) {
      response.writeHead(404).end()
      return
    }
    response
      .writeHead(200, { ...file.headers, 'content-length': file.bytes.length, 'cache-control': 'no-store' })
      .end(file.bytes)
  })
  return {
    port: await listenOnFreePort(server),
    stop: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
