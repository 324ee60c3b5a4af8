/** Receiver: another origin on loopback that accepts everything a page sends, over TCP and UDP, and lists it. */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { listenOnFreePort } from '../harness/server-process.ts'

export const startReceiver = async () => {
  const arrivals: string[] = []
  const server = createServer((request, response) => {
    arrivals.push(`${request.method} ${request.url}`)
    response.writeHead(200, { 'access-control-allow-origin': '*', 'content-type': 'text/javascript' }).end()
  })
  server.on('connection', () => arrivals.push('a connection'))
  server.on('upgrade', (request, socket) => {
    arrivals.push(`upgrade ${request.url}`)
    socket.destroy()
  })
  const port = await listenOnFreePort(server)
  const datagrams = createSocket('udp4')
  datagrams.on('message', (bytes) => arrivals.push(`a datagram of ${bytes.length} bytes`))
  datagrams.bind(port, '127.0.0.1')
  await once(datagrams, 'listening')
  return {
    port,
    /** What has arrived. A connection alone counts: the name of the host that it is made to can carry a number. */
    arrivals,
    stop: () => {
      server.closeAllConnections()
      server.close()
      datagrams.close()
    },
  }
}
