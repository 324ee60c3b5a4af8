/** Open connections: how many there may be, over all and of one network, and which of them ends for a new one. */
import type { Server } from 'node:http'
import { BlockList, isIPv6, type Socket } from 'node:net'
import { clientNetwork } from './client-network.ts'
import { startSystemTimer, type StartTimer } from './connection-limits.ts'

export interface ConnectionLimits {
  readonly total: number
  readonly perNetwork: number
  /** How many connections are about to be closed but may still be used for ENDING_MS. */
  readonly ending: number
}

/** Many shoppers share the address of their carrier, and a browser opens six. */
const CONNECTION_LIMITS: ConnectionLimits = { total: 4000, perNetwork: 200, ending: 1000 }

/** A delay, because an attacker reopens a closed connection at once, and each accept costs the other callers time. */
export const ENDING_MS = 2000

/** What a request on a connection does. `waits`: in its lane, or for the answer that it is shed. */
export type RequestState = 'waits' | 'works' | 'pays'

interface Connection {
  readonly socket: Socket
  readonly network: string
  readonly requests: Map<object, RequestState>
  isEnding: boolean
}

export interface ConnectionTable {
  /** Notes what a request does, from its arrival to its end, which is null. */
  note(socket: object, request: object, state: RequestState | null): void
  /** True: its answer must end the connection. */
  isEnding(socket: object): boolean
}

const REFUSED = 'Too many connections. Try again in a few seconds.\n'
const REFUSAL = `HTTP/1.1 503 Service Unavailable\r\nretry-after: 2\r\ncontent-type: text/plain; charset=utf-8\r\ncontent-length: ${REFUSED.length}\r\nconnection: close\r\n\r\n${REFUSED}`

/** A proxy bounds the connections of its callers itself; all of them come from its own address. */
const proxyList = (addresses: readonly string[]): BlockList => {
  const list = new BlockList()
  for (const each of addresses) {
    const [address = '', bits] = each.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return list
}

/** A connection may end while all of its requests wait. Otherwise the answer to a payment may be lost. */
const mayEnd = ({ requests }: Connection): boolean => {
  for (const state of requests.values()) if (state !== 'waits') return false
  return true
}

/** The oldest idle connection, else the oldest one whose requests all wait. */
const leastNeeded = (connections: Iterable<Connection>): Connection | undefined => {
  let waiting: Connection | undefined
  for (const connection of connections) {
    if (connection.requests.size === 0) return connection
    if (waiting === undefined && mayEnd(connection)) waiting = connection
  }
  return waiting
}

/**
 * Counts the connections of this server. Where there are too many of one network, or too many over all, one of them ends: of
 * the network with the most, and never one on which a payment is under way. Only where none may end is the new one refused.
 */
export const limitConnections = (
  server: Server,
  trustedProxies: readonly string[],
  limits: ConnectionLimits = CONNECTION_LIMITS,
  startTimer: StartTimer = startSystemTimer,
): ConnectionTable => {
  const proxies = proxyList(trustedProxies)
  const counted = new Map<string, Set<Connection>>()
  const ending = new Set<Socket>()
  const known = new WeakMap<object, Connection>()
  let total = 0

  const forget = (connection: Connection): void => {
    const ofNetwork = counted.get(connection.network)
    if (ofNetwork?.delete(connection) !== true) return
    total -= 1
    if (ofNetwork.size === 0) counted.delete(connection.network)
  }

  const endSoon = (socket: Socket, last: () => void): void => {
    const [oldest] = ending
    if (ending.size >= limits.ending && oldest !== undefined) {
      ending.delete(oldest)
      const crowded = known.get(oldest)
      if (crowded === undefined || mayEnd(crowded)) oldest.destroy()
    }
    ending.add(socket)
    const stopTimer = startTimer(ENDING_MS, last)
    socket.once('close', () => {
      stopTimer()
      ending.delete(socket)
    })
  }

  const end = (connection: Connection): void => {
    forget(connection)
    connection.isEnding = true
    // Requests that have arrived, or arrive meanwhile, are answered. The answer closes the connection.
    endSoon(connection.socket, () => connection.requests.size === 0 && connection.socket.destroy())
  }

  const refuse = (socket: Socket): void => {
    socket.on('error', () => undefined)
    endSoon(socket, () => socket.end(REFUSAL, () => socket.destroy()))
  }

  const fullest = (): Set<Connection> | undefined => {
    let most: Set<Connection> | undefined
    for (const ofNetwork of counted.values()) if (most === undefined || ofNetwork.size > most.size) most = ofNetwork
    return most
  }

  /** False: there is no place for this network, and no connection may be closed for it. */
  const makePlace = (network: string, isProxy: boolean): boolean => {
    const own = counted.get(network)
    const crowded =
      !isProxy && own !== undefined && own.size >= limits.perNetwork ? own : total >= limits.total ? fullest() : null
    if (crowded === null) return true
    const loser = leastNeeded(crowded ?? [])
    if (loser === undefined) return false
    end(loser)
    return true
  }

  const admit = (socket: Socket): boolean => {
    const { remoteAddress = '', remoteFamily } = socket
    const network = clientNetwork(remoteAddress)
    const isProxy = remoteAddress !== '' && proxies.check(remoteAddress, remoteFamily === 'IPv6' ? 'ipv6' : 'ipv4')
    if (!makePlace(network, isProxy)) {
      refuse(socket)
      return false
    }
    const connection: Connection = { socket, network, requests: new Map(), isEnding: false }
    const ofNetwork = counted.get(network) ?? new Set()
    counted.set(network, ofNetwork.add(connection))
    total += 1
    known.set(socket, connection)
    socket.once('close', () => forget(connection))
    return true
  }

  const readers = server.listeners('connection')
  server.removeAllListeners('connection')
  server.on('connection', (socket: Socket) => {
    if (admit(socket)) for (const read of readers) Reflect.apply(read, server, [socket])
  })

  return {
    note: (socket, request, state) => {
      const requests = known.get(socket)?.requests
      if (state === null) requests?.delete(request)
      else requests?.set(request, state)
    },
    isEnding: (socket) => known.get(socket)?.isEnding ?? false,
  }
}
