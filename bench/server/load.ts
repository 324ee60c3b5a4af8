/** Load of the bench of the server, in a process of its own: sends operations over kept connections and times each. */
import { Type } from 'typebox'
import { Check } from 'typebox/value'
import { keptConnection } from '../../proof/fuzz/connection.ts'
import { percentile } from '../../tools/measurement/percentile.ts'
import { mixedOperation, OPERATIONS, perform } from './requests.ts'

const Order = Type.Object({
  operation: Type.Enum([...OPERATIONS, 'mixture']),
  site: Type.Object({ port: Type.Integer(), key: Type.String() }),
  /** Checkouts that may be read by all, and those that are paid, each once. */
  readIds: Type.Array(Type.String()),
  payIds: Type.Array(Type.String()),
  /** The first of them all; the next order goes on behind the last. */
  firstPlace: Type.Integer(),
  count: Type.Integer(),
  clients: Type.Integer(),
})
export type LoadOrder = Type.Static<typeof Order>

const carryOut = async (order: LoadOrder) => {
  const { site, readIds, payIds, firstPlace, count, clients } = order
  const times: number[] = []
  const failures: string[] = []
  let [next, paid] = [0, 0]
  const client = async (): Promise<void> => {
    const connection = keptConnection(site.port)
    while (next < count) {
      const place = firstPlace + next
      next += 1
      const operation = order.operation === 'mixture' ? mixedOperation(place) : order.operation
      const readId = readIds[(place * 7919) % readIds.length] ?? ''
      const checkoutId = operation === 'payment' ? (payIds[paid++] ?? '') : readId
      const began = performance.now()
      await perform(operation, connection, site, checkoutId, place).then(
        () => times.push(performance.now() - began),
        (error: unknown) => failures.push(String(error)),
      )
    }
    connection.close()
  }
  const began = performance.now()
  await Promise.all(Array.from({ length: clients }, client))
  const perSecond = (times.length / (performance.now() - began)) * 1000
  return { perSecond, p50Ms: percentile(times, 50), p99Ms: percentile(times, 99), failures: failures.slice(0, 3), paid }
}

process.on('message', (message) => {
  if (!Check(Order, message)) throw new Error('an order to the load cannot be read')
  void carryOut(message).then((report) => process.send?.(report))
})
process.on('disconnect', () => process.exit(0))
