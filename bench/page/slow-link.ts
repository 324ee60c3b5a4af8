/** Slow link: a TCP relay between browser and server, with the latency and the rate of a phone's network. */
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { listenOnFreePort } from '../../proof/harness/server-process.ts'

export interface LinkSpeed {
  /** How long a request is under way before the server sees it: all of the round trip is in this direction. */
  readonly latencyMs: number
  /** Of all connections together, in the direction of the browser. */
  readonly bytesPerSecond: number
}

/** What a packet of a network holds. */
const PACKET_BYTES = 1460

/** Answers that wait for their turn on the one line to the browser. */
interface Queue {
  readonly browser: Socket
  waiting: Buffer
  /** The server has sent all. */
  isEnded: boolean
}

/** The next packet of the queue, and what is left behind it. */
const takePacket = (queue: Queue): Buffer => {
  const packet = queue.waiting.subarray(0, PACKET_BYTES)
  queue.waiting = queue.waiting.subarray(packet.length)
  return packet
}

/** Sends one packet after another at this rate, of each connection in turn, as a line that is shared does. */
const createLine = (bytesPerSecond: number) => {
  const queues: Queue[] = []
  let freeAt = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  const endIfEmpty = (queue: Queue): void => {
    if (queue.isEnded && queue.waiting.length === 0) queue.browser.end()
  }
  const sendNext = (): void => {
    timer = undefined
    const queue = queues.find(({ waiting }) => waiting.length > 0)
    if (queue === undefined) return
    // To the end of the order: the next packet is another connection's.
    queues.push(...queues.splice(queues.indexOf(queue), 1))
    const packet = takePacket(queue)
    freeAt = Math.max(freeAt, performance.now()) + (packet.length / bytesPerSecond) * 1000
    // It has arrived when its last byte has.
    timer = setTimeout(() => {
      queue.browser.write(packet)
      endIfEmpty(queue)
      sendNext()
    }, freeAt - performance.now())
  }
  return {
    open: (browser: Socket): Queue => {
      const queue = { browser, waiting: Buffer.alloc(0), isEnded: false }
      queues.push(queue)
      browser.once('close', () => queues.splice(queues.indexOf(queue), 1))
      return queue
    },
    add: (queue: Queue, data: Buffer): void => {
      queue.waiting = Buffer.concat([queue.waiting, data])
      if (timer === undefined) sendNext()
    },
    end: (queue: Queue): void => {
      queue.isEnded = true
      endIfEmpty(queue)
    },
    stop: (): void => clearTimeout(timer),
  }
}

/** Relays to this port of the same machine. */
export const startSlowLink = async (targetPort: number, { latencyMs, bytesPerSecond }: LinkSpeed) => {
  const line = createLine(bytesPerSecond)
  const sockets = new Set<Socket>()
  const keep = (socket: Socket): void => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    // Either side may go away in the middle of an answer: the browser does so at the end of each visit.
    socket.on('error', () => undefined)
  }
  const relay = createServer({ noDelay: true }, (browser) => {
    const server = connect({ port: targetPort, host: '127.0.0.1', noDelay: true })
    for (const socket of [browser, server]) keep(socket)
    const queue = line.open(browser)
    browser.on('data', (data) => setTimeout(() => server.write(data), latencyMs))
    browser.once('close', () => server.destroy())
    server.on('data', (data: Buffer) => line.add(queue, data))
    server.once('end', () => line.end(queue))
  })
  return {
    port: await listenOnFreePort(relay),
    stop: async (): Promise<void> => {
      line.stop()
      relay.close()
      for (const socket of sockets) socket.destroy()
      await once(relay, 'close')
    },
  }
}
