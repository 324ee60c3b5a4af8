/**
 * End of connections: when a server stops, every call that has reached it is answered, and what only waits for its caller is
 * ended: an idle connection, a request that does not go on, an answer that is not read.
 */
import type { IncomingMessage, ServerResponse, Server as HttpServer } from 'node:http'
import { Server, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** For a request that is on its way on an open connection, and for what is left of an answer. */
const LINGER_MS = 500

/** A turn of the event loop that takes longer has done something. */
const QUIET_TURN_MS = 0.3
/** Whoever has just been answered sends the next call within this time. */
const QUIET_MS = 2
/** On a machine with other work the server has a part of each second alone, and must first answer what has come. */
const QUIET_WITHIN_MS = 1000
const QUIET_AT_LAST_WITHIN_MS = 100

/**
 * Resolves in a moment in which nothing arrives, or when there is none in time. A connection that the system has not handed to
 * us yet is reset when its listener closes, and one whose bytes we have not read when it is destroyed.
 */
const quietMoment = async (withinMs: number): Promise<void> => {
  let turned = performance.now()
  const until = turned + withinMs
  for (let quietSince = turned; turned - quietSince < QUIET_MS && turned < until;) {
    const before = turned
    await new Promise(setImmediate)
    turned = performance.now()
    if (turned - before > QUIET_TURN_MS) quietSince = turned
  }
}

interface Connection {
  readonly calls: Map<ServerResponse, IncomingMessage>
  /** How many bytes had come when its last call ended. */
  readAtEnd: number
}

/** A call is wholly here and not answered yet: it may be a payment, and its caller must learn what became of it. */
const isWorkedOn = ({ calls }: Connection): boolean => {
  for (const [response, request] of calls) if (request.complete && !response.headersSent) return true
  return false
}

const isIdle = (socket: Socket, { calls, readAtEnd }: Connection): boolean =>
  calls.size === 0 && readAtEnd > 0 && readAtEnd === socket.bytesRead

/** To be called once, as soon as `server` listens. The answer closes its listeners, and then ends all connections. */
export const trackConnections = (server: HttpServer): ((listeners: readonly Server[]) => Promise<void>) => {
  const open = new Map<Socket, Connection>()
  let held: Socket[] | null = null
  const readers = server.listeners('connection')
  const read = (socket: Socket): void => {
    for (const each of readers) Reflect.apply(each, server, [socket])
  }
  server.removeAllListeners('connection')
  server.on('connection', (socket: Socket) => {
    open.set(socket, { calls: new Map(), readAtEnd: 0 })
    socket.once('close', () => open.delete(socket))
    if (held === null) read(socket)
    else held.push(socket.on('error', () => undefined))
  })
  // Before the routes: they may answer at once.
  server.prependListener('request', (request, response) => {
    const { socket } = request
    const connection = open.get(socket)
    if (connection === undefined) return
    connection.calls.set(response, request)
    response.once('close', () => {
      connection.calls.delete(response)
      connection.readAtEnd = socket.bytesRead
    })
  })

  const closeListeners = async (listeners: readonly Server[]): Promise<void> => {
    // What connects meanwhile waits, or under load there would be no quiet moment.
    const waiting = (held = [])
    await quietMoment(QUIET_WITHIN_MS)
    // The HTTP server's own `close` would also end connections whose first request is still on its way.
    for (const each of listeners) Server.prototype.close.call(each)
    held = null
    for (const [socket, connection] of open) if (isIdle(socket, connection)) socket.destroy()
    for (const socket of waiting) read(socket)
  }

  const waitsForItsCaller = (): [Socket, Connection][] => [...open].filter(([, connection]) => !isWorkedOn(connection))

  return async (listeners) => {
    let [slow, lingered] = [waitsForItsCaller(), sleep(LINGER_MS)]
    await closeListeners(listeners)
    while (open.size > 0) {
      const ended = [...open.keys()].map((socket) => new Promise((resolve) => socket.once('close', resolve)))
      await Promise.race([Promise.all(ended), lingered])
      if (open.size > 0) await quietMoment(QUIET_AT_LAST_WITHIN_MS)
      for (const [socket, connection] of slow) if (!isWorkedOn(connection)) socket.destroy()
      ;[slow, lingered] = [waitsForItsCaller(), sleep(LINGER_MS)]
    }
  }
}
