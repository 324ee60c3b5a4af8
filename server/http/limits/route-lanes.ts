/** Lanes of the routes: every request takes its place in a lane before anything is read for it, and gives it back at its end. */
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify'
import { CALL_COSTS, type MerchantLane } from '#contract/access.ts'
import { CONSOLE_BASE } from '#contract/console/paths.ts'
import { MERCHANT_BASE, SHOPPER_BASE } from '#contract/paths.ts'
import { createBesidePayments } from '../../store/engine/beside-payments.ts'
import type { Dependencies } from '../../dependencies.ts'
import { clientNetwork } from './client-network.ts'
import type { LaneName, LaneTable } from './lane-table.ts'
import type { ConnectionTable, RequestState } from './connection-table.ts'
import type { RecentlyAcceptedKeys } from './recently-accepted-keys.ts'
import { createLanes, systemLanePorts, type Lanes } from './lanes.ts'
import { sendUnavailable, SHED_DELAY_MS } from './load-shedding.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Which lane the requests of this route wait in. */
    lane?: LaneName
  }
}

export interface RouteLanes {
  /** Waits for a place in this lane. False: the request was shed, and is answered. */
  wait(request: FastifyRequest, reply: FastifyReply, lane: LaneName, caller: string): Promise<boolean>
  /** Goes on when a refusal may be sent: at once, unless many of them wait. */
  paceRefusal(request: FastifyRequest, reply: FastifyReply, goOn: () => void): void
  /** Gives back all places that the request has. */
  leaveAll(request: FastifyRequest): void
  /** Waits for the turn of the next piece of a long answer. */
  nextPiece(): Promise<void>
}

export const isMerchantLane = (lane: LaneName): lane is MerchantLane => lane in CALL_COSTS

/** The lane of a request without a route: its body may come slowly, and must not hold the place of a page or a reading. */
const unroutedLane = ({ url, method }: FastifyRequest): LaneName => {
  if (url.startsWith(MERCHANT_BASE)) return 'keyChecks'
  if (url.startsWith(CONSOLE_BASE)) return 'consoleCalls'
  if (method !== 'GET' && method !== 'HEAD') return 'browserReports'
  return url.startsWith(SHOPPER_BASE) ? 'reads' : 'pages'
}

/** A merchant's call waits in the lane of unchecked keys until its key has been looked up. */
const firstLane = (request: FastifyRequest): LaneName => {
  const { lane } = request.routeOptions.config
  if (lane === undefined) return unroutedLane(request)
  return isMerchantLane(lane) ? 'keyChecks' : lane
}

/** Places of one request: given back when its connection or its answer has ended, and its handler too. */
interface Held {
  readonly leaves: Set<() => void>
  isAnswered: boolean
  isHandled: boolean
}

/** How many requests may be sent on one connection before the first of them is answered. No browser and no proxy does that. */
const PIPELINED_MAX = 100

const createPlaces = (connections: Pick<ConnectionTable, 'note'>) => {
  const heldBy = new WeakMap<FastifyRequest, Held>()
  const onConnection = new WeakMap<object, Set<Held>>()

  const leave = (held: Held): void => {
    for (const each of held.leaves) each()
    held.leaves.clear()
  }
  const leaveIfOver = (held: Held): void => {
    if (held.isAnswered && held.isHandled) leave(held)
  }
  /** The answers to pipelined requests that come after the first one have no connection yet, and are not told that it has closed. */
  const requestsOn = (socket: FastifyRequest['raw']['socket']): Set<Held> => {
    const known = onConnection.get(socket)
    if (known !== undefined) return known
    const requests = new Set<Held>()
    onConnection.set(socket, requests)
    socket.once('close', () => {
      for (const held of requests) {
        held.isAnswered = true
        leaveIfOver(held)
      }
    })
    return requests
  }
  return {
    leaveIfOver,
    of: (request: FastifyRequest): Held | undefined => heldBy.get(request),
    open: (request: FastifyRequest, reply: FastifyReply): Held => {
      const held: Held = { leaves: new Set(), isAnswered: false, isHandled: true }
      const { socket } = request.raw
      const requests = requestsOn(socket)
      heldBy.set(request, held)
      requests.add(held)
      reply.raw.once('close', () => {
        requests.delete(held)
        connections.note(socket, held, null)
        held.isAnswered = true
        leaveIfOver(held)
      })
      if (requests.size > PIPELINED_MAX) socket.destroy()
      return held
    },
    leaveAll: (request: FastifyRequest): void => {
      const held = heldBy.get(request)
      if (held !== undefined) leave(held)
    },
  }
}

/** The turn of one piece among the other requests. */
const inPiecesLane = <T>(lanes: Lanes<LaneName>, work: () => Promise<T>): Promise<T> =>
  new Promise((resolve) => {
    const begin = (): void => {
      resolve(work())
      queueMicrotask(() => leave())
    }
    const leave = lanes.enter('pieces', { caller: '', begin, shed: () => undefined })
  })

interface LaneOptions {
  readonly table: LaneTable
  readonly recentlyAcceptedKeys: RecentlyAcceptedKeys
  readonly connections: Pick<ConnectionTable, 'note'>
}

/** To be called before any route is added: the server does not start with a route that names no lane. */
export const laneRoutes = (
  app: FastifyInstance,
  deps: Dependencies,
  { table, recentlyAcceptedKeys, connections }: LaneOptions,
): RouteLanes => {
  const lanes = createLanes(
    table,
    'payment',
    systemLanePorts(() => deps.elapsed()),
  )
  const places = createPlaces(connections)
  const pieces = createBesidePayments({ elapsed: () => deps.elapsed(), sleep: (ms) => deps.clock.sleep(ms) })

  const enter = (
    { request, reply, lane, caller }: { request: FastifyRequest; reply: FastifyReply; lane: LaneName; caller: string },
    begin: () => void,
    shed: () => void,
  ): void => {
    const held = places.of(request) ?? places.open(request, reply)
    // The caller has closed the connection: nothing would give the place back.
    if (held.isAnswered || request.raw.socket.destroyed) return
    const { answer } = table[lane]
    if (lane === 'payment') pieces.notePayment()
    const note = (state: RequestState): void =>
      connections.note(request.raw.socket, held, lane === 'payment' ? 'pays' : state)
    note('waits')
    const leave = lanes.enter(lane, {
      caller,
      begin: () => {
        note('works')
        begin()
      },
      shed: (why) => {
        const answerNow = (): void => {
          if (!held.isAnswered) sendUnavailable(reply, answer)
          shed()
        }
        if (why === 'late') answerNow()
        else void deps.clock.sleep(SHED_DELAY_MS).then(answerNow)
      },
    })
    held.leaves.add(leave)
  }

  /** A handler goes on after its caller has hung up. It keeps its place: otherwise abandoned requests would be worked on without limit. */
  const holdWhileHandled = (handler: RouteHandlerMethod): RouteHandlerMethod =>
    function handle(request, reply) {
      const held = places.of(request)
      const result: unknown = handler.call(this, request, reply)
      if (held !== undefined && result instanceof Promise) {
        held.isHandled = false
        const over = (): void => {
          held.isHandled = true
          places.leaveIfOver(held)
        }
        result.then(over, over)
      }
      return result
    }

  app.addHook('onRoute', (route) => {
    const { method, url, config } = route
    const lane = config?.lane
    if (lane === undefined) throw new Error(`${String(method)} ${url} does not name its lane`)
    if (lane !== 'payment') route.handler = holdWhileHandled(route.handler)
  })
  app.addHook('onRequest', (request, reply, done) => {
    const lane = firstLane(request)
    const key = lane === 'keyChecks' ? recentlyAcceptedKeys.find(request.headers.authorization) : undefined
    enter({ request, reply, lane, caller: key ?? clientNetwork(request.ip) }, done, () => undefined)
  })

  return {
    wait: (request, reply, lane, caller) =>
      new Promise((resolve) => {
        enter(
          { request, reply, lane, caller },
          () => resolve(true),
          () => resolve(false),
        )
      }),
    paceRefusal: (request, reply, goOn) =>
      enter({ request, reply, lane: 'refusals', caller: clientNetwork(request.ip) }, goOn, goOn),
    leaveAll: places.leaveAll,
    nextPiece: () =>
      new Promise((resolve) => {
        void pieces.run(
          () =>
            new Promise<void>((end) => {
              resolve()
              // A callback of nextTick runs when the queue of microtasks is empty: only then was the time of a piece spent.
              queueMicrotask(() => process.nextTick(end))
            }),
          (timed) => inPiecesLane(lanes, timed),
        )
      }),
  }
}
