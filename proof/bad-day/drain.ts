/** Drain: a server that is told to stop beside shoppers who pay, answers read slowly and connections that say nothing. */
import { Agent } from 'node:http'
import { connect, type Socket } from 'node:net'
import { copyCheckout, type Engine } from '../filled-database/copy-checkout.ts'
import { CALL_TIMEOUT_MS, isPaid, shopClient, type ShopClient } from '../harness/shop-client.ts'
import {
  merchantIdOf,
  wait,
  withAttackedServer,
  type Attack,
  type AttackedServer,
  type Measured,
} from './attacked-server.ts'

const ROUNDS = 10
/** As long as a server drains when nothing else is set. */
const DRAIN_MS = 1000
const PAYERS = 8
/** As the unit of systemd does. */
const KILLED_AFTER_MS = 45_000
const BEFORE_STOP_MS = 1500
/** More than the buffers of the system hold: the server has still much to send when it is told to stop. */
const EXPORTED_ROWS = 12_000
const EXPORTED = '/merchant/v1/exports/checkouts.csv'

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined)

/** One payment after another until the port is closed; answers what went wrong before. */
const payUntilRefused = async (shop: ShopClient): Promise<readonly string[]> => {
  for (;;) {
    try {
      const end = await shop.payWhole(await shop.create())
      if (!isPaid(end)) return [`${end.call} ${end.answer.status}: ${end.answer.text.slice(0, 100)}`]
    } catch (error) {
      // Nobody listens any more: the call was never begun.
      return codeOf(error) === 'ECONNREFUSED' ? [] : [String(error)]
    }
  }
}

/** Sends this much of a request and then nothing, and reads nothing of its answer. */
const silent = async (port: number, sent: string): Promise<Socket> => {
  const socket = connect({ port, host: '127.0.0.1' })
  socket.on('error', () => undefined)
  socket.pause()
  await new Promise((resolve) => socket.write(sent, resolve))
  return socket
}

/** Whoever holds a connection without paying: an export, an upload and a start that do not go on, and who has said nothing yet. */
const holders = async (server: AttackedServer): Promise<Socket[]> => {
  const { port, key } = server.shop()
  const host = `host: localhost:${port}\r\n`
  const json = `${host}content-type: application/json\r\ncontent-length: 500\r\n`
  return Promise.all([
    silent(port, `GET ${EXPORTED} HTTP/1.1\r\n${host}authorization: Bearer ${key}\r\n\r\n`),
    silent(port, `PUT /merchant/v1/settings/logo HTTP/1.1\r\n${json}authorization: Bearer ${key}\r\n\r\n{`),
    silent(
      port,
      `POST /api/v1/checkouts/${await server.shop().create()}/3ds HTTP/1.1\r\n${json}merchant: demo\r\n\r\n{`,
    ),
    silent(port, `GET /healthz HTTP/1.1\r\n${host}\r\n`),
    silent(port, ''),
  ])
}

interface Stop {
  readonly failures: readonly string[]
  readonly seconds: number
}

/** Half of the payers open a connection for each call, the others keep theirs. */
const stopBesidePayers = async (server: AttackedServer): Promise<Stop> => {
  const { port, key } = server.shop()
  const held = await holders(server)
  const agent = new Agent({ keepAlive: true })
  const kept = shopClient(port, key, 'demo', CALL_TIMEOUT_MS, agent)
  const paying = Array.from({ length: PAYERS }, (_, place) => payUntilRefused(place % 2 === 0 ? server.shop() : kept))
  await wait(BEFORE_STOP_MS)
  const toldAt = performance.now()
  await Promise.race([server.running().stop(), wait(KILLED_AFTER_MS)])
  const seconds = (performance.now() - toldAt) / 1000
  await server.kill()
  const failures = (await Promise.all(paying)).flat()
  for (const socket of held) socket.destroy()
  agent.destroy()
  return { failures, seconds }
}

const payersAndHolders = (engine: Engine, report: (line: string) => void): Promise<Measured> =>
  withAttackedServer({ engine, more: { DRAIN_MS: String(DRAIN_MS) } }, async (server) => {
    const checkoutId = await server.shop().create({ subject: '\ufdfa'.repeat(200) })
    const merchantId = await merchantIdOf(server, 'demo')
    await server.sql((each) => copyCheckout(each, engine, { merchantId, checkoutId, copies: EXPORTED_ROWS }))
    // A copy is a millisecond younger than the one before it: the last ones would be of the future.
    await server.sql((each) => each.rows(`UPDATE checkouts SET created_at = created_at - ${EXPORTED_ROWS}`))
    const stops: Stop[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      if (round > 0) await server.start()
      const stop = await stopBesidePayers(server)
      report(
        `${engine}: ended after ${stop.seconds.toFixed(1)} s, ${stop.failures.length} failed ${stop.failures.join('; ')}`,
      )
      stops.push(stop)
    }
    const unknown = "SELECT count(*) AS n FROM attempts WHERE state = 'unknown'"
    return {
      [`${engine}: calls reset in 10 stops under 8 payers`]: stops.reduce((sum, each) => sum + each.failures.length, 0),
      [`${engine}: longest stop beyond DRAIN_MS, seconds`]:
        Math.max(...stops.map((each) => each.seconds)) - DRAIN_MS / 1000,
      [`${engine}: payments left in doubt by the stops`]: await server.count(unknown),
    }
  })

const PAYS = 20
const SENT_BEFORE_STOP_MS = [60, 30, 10]

/** Each pays on a connection of its own, begun so long before the process is asked to stop. */
const resetAtOnce = (beforeStopMs: number): Promise<number> =>
  withAttackedServer({ more: { DRAIN_MS: '0' } }, async (server) => {
    const shop = server.shop()
    const started = await Promise.all(
      Array.from({ length: PAYS }, async () => {
        const link = await shop.create()
        return { link, orderCode: String((await shop.start(link)).body['orderCode']) }
      }),
    )
    const isReset = started.map(({ link, orderCode }) =>
      shop.pay(link, orderCode).then(
        () => false,
        () => true,
      ),
    )
    await wait(beforeStopMs)
    await server.running().stop()
    return (await Promise.all(isReset)).filter(Boolean).length
  })

const stopAtOnce = async (report: (line: string) => void): Promise<Measured> => {
  const reset: number[] = []
  for (const beforeStopMs of SENT_BEFORE_STOP_MS) reset.push(await resetAtOnce(beforeStopMs))
  report(`reset of 20 pays, sent ${SENT_BEFORE_STOP_MS.join(', ')} ms before the stop: ${reset.join(', ')}`)
  return { 'pays of 20 reset by a stop without a drain, at most': Math.max(...reset) }
}

export const drain: readonly Attack[] = [
  { name: 'a stop beside payers on SQLite', run: (report) => payersAndHolders('SQLite', report) },
  { name: 'a stop beside payers on PostgreSQL', run: (report) => payersAndHolders('PostgreSQL', report) },
  { name: 'a stop without a drain', run: stopAtOnce },
]
