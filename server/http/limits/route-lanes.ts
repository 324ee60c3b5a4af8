/** Lanes of the routes: every request takes its place in a lane when its body has arrived, and gives it back at its end. */
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify'
import { CALL_COSTS, type MerchantLane } from '#contract/access.ts'
import { SHOPPER_BASE } from '#contract/paths.ts'
import { createBesidePayments } from '../../store/engine/beside-payments.ts'
import { asPayment } from '../../store/engine/urgency.ts'
import type { Dependencies } from '../../dependencies.ts'
import { clientNetwork } from './client-network.ts'
import { FIRST_LANES, type LaneName, type LaneTable } from './lane-table.ts'
import type { ConnectionTable, RequestState } from './connection-table.ts'
import { createKnownIds, idsOf, rankOf, type Found, type KnownIds } from './payment-ranks.ts'
import { createLanes, systemLanePorts, type Lanes } from './lanes.ts'
import { sendUnavailable, SHED_DELAY_MS } from './load-shedding.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Which lane the requests of this route wait in. */
    lane?: LaneName
  }
}

export interface RouteLanes extends Pick<KnownIds, 'noteOrder' | 'noteCheckout'> {
  /** Waits for a place in this lane. False: the request was shed, and is answered. */
  wait(request: FastifyRequest, reply: FastifyReply, lane: LaneName, caller: string): Promise<boolean>
  /** Goes on when a refusal may be sent: at once, unless many of them wait. */
  paceRefusal(request: FastifyRequest, reply: FastifyReply, goOn: () => void): void
  /** Gives back all places that the request has: what comes next is not work, its body or the wait of a decline. */
  leaveAll(request: FastifyRequest): void
  /** Waits for the turn of the next piece of a long answer. */
  nextPiece(): Promise<void>
}

/** A card and an address have some hundred bytes, what a provider collects some thousand. Thousands of keys would take longer to read than a payment. */
const PAYING_BODY_LIMIT = 8 * 1024

export const isMerchantLane = (lane: LaneName): lane is MerchantLane => lane in CALL_COSTS

/** The lane of a request without a route, unless its key or session was looked up: it has waited for its turn by then. */
const unroutedLane = ({ url, method }: FastifyRequest): LaneName => {
  if (method !== 'GET' && method !== 'HEAD') return 'browserReports'
  return url.startsWith(SHOPPER_BASE) ? 'reads' : 'pages'
}

const laneOf = (request: FastifyRequest): LaneName => request.routeOptions.config.lane ?? unroutedLane(request)

/** Places of one request: given back when its connection or its answer has ended, and its handler too. */
interface Held {
  readonly leaves: Set<() => void>
  isAnswered: boolean
  isHandled: boolean
  /** Whether it has waited for a turn: what is refused before that must wait for one. */
  hasEntered: boolean
}

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
      const held: Held = { leaves: new Set(), isAnswered: false, isHandled: true, hasEntered: false }
      const { socket } = request.raw
      const requests = requestsOn(socket)
      heldBy.set(request, held)
      requests.add(held)
      connections.note(socket, held, 'waits')
      reply.raw.once('close', () => {
        requests.delete(held)
        connections.note(socket, held, null)
        held.isAnswered = true
        leaveIfOver(held)
      })
      return held
    },
    leaveAll: (request: FastifyRequest): void => {
      const held = heldBy.get(request)
      if (held === undefined) return
      leave(held)
      connections.note(request.raw.socket, held, 'waits')
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
  readonly connections: Pick<ConnectionTable, 'note'>
}

/** To be called before any route is added: the server does not start with a route that names no lane. */
export const laneRoutes = (
  app: FastifyInstance,
  deps: Dependencies,
  { table, connections }: LaneOptions,
): RouteLanes => {
  const lanes = createLanes(
    table,
    FIRST_LANES,
    systemLanePorts(() => deps.elapsed()),
  )
  const places = createPlaces(connections)
  const pieces = createBesidePayments({ elapsed: () => deps.elapsed(), sleep: (ms) => deps.clock.sleep(ms) })
  const known = createKnownIds()

  const enter = (
    { request, reply, lane, caller }: { request: FastifyRequest; reply: FastifyReply; lane: LaneName; caller: string },
    begin: () => void,
    shed: () => void,
  ): void => {
    const held = places.of(request) ?? places.open(request, reply)
    // The caller has closed the connection: nothing would give the place back.
    if (held.isAnswered || request.raw.socket.destroyed) return
    held.hasEntered = true
    const { answer } = table[lane]
    if (lane === 'payment' || lane === 'starts') pieces.notePayment()
    // Of a first request that waits nothing has begun: thousands of them would refuse all new connections if none might end for one.
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
    if (lane === 'payment') {
      route.attachValidation = true
      route.bodyLimit = PAYING_BODY_LIMIT
    } else route.handler = holdWhileHandled(route.handler)
  })
  app.addHook('onRequest', (request, reply, done) => {
    places.open(request, reply)
    done()
  })
  // After the body was read: who sends it slowly holds no place that others wait for. Whose key or session was looked up before it
  // has given that place back, and waits in the lane of its caller.
  app.addHook('preValidation', (request, reply, done) => {
    const lane = laneOf(request)
    if (lane === 'payment' || places.of(request)?.hasEntered === true) return done()
    return enter({ request, reply, lane, caller: clientNetwork(request.ip) }, done, () => undefined)
  })
  // After its shape was checked: what will be refused by it takes no place of a payment.
  app.addHook('preHandler', (request, reply, done) => {
    if (laneOf(request) !== 'payment') return done()
    const goOn = (): void => done(request.validationError)
    const goOnFrom = (lane: LaneName) => (lane === 'payment' ? () => asPayment(goOn) : goOn)
    const never = (): void => undefined
    const rank = rankOf(request, known)
    const { lookUp } = request.routeOptions.config
    if (rank.lane !== 'strangers' || lookUp === undefined)
      return enter({ request, reply, ...rank }, goOnFrom(rank.lane), never)
    const findFirst = async (): Promise<void> => {
      const ids = idsOf(request)
      const found = await lookUp(ids, request).catch((): Found => 'nothing')
      if (found === 'nothing') return goOn()
      if (found === 'stored') known.noteFound(ids)
      // What is looked up keeps others waiting; a payment may take long, and keeps nobody.
      places.leaveAll(request)
      const next = found === 'stored' ? rankOf(request, known) : { lane: 'unstored' as const, caller: rank.caller }
      return enter({ request, reply, ...next }, goOnFrom(next.lane), never)
    }
    return enter({ request, reply, ...rank }, () => void findFirst(), never)
  })

  const paceRefusal = (request: FastifyRequest, reply: FastifyReply, goOn: () => void): void =>
    enter({ request, reply, lane: 'refusals', caller: clientNetwork(request.ip) }, goOn, goOn)
  // Whoever is answered without a turn comes back at once, and the server is busy with refusals alone.
  app.addHook('onSend', (request, reply, _payload, done) => {
    if (places.of(request)?.hasEntered === true) done()
    else paceRefusal(request, reply, done)
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
    paceRefusal,
    leaveAll: places.leaveAll,
    noteOrder: known.noteOrder,
    noteCheckout: known.noteCheckout,
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
