/**
 * Simulated store of sealed cards that all servers share: a primary with a replica that lags. It evicts cards, is emptied, falls
 * silent, answers with the value of another name, and fails over: cards that were just put are lost, and wiped ones come back.
 */
import type { SealedStore } from '../../server/card-hold/sealed.ts'
import type { SeededRandom } from '../harness/seeded-random.ts'
import { faultyConnection } from './faulty-connection.ts'
import type { SimulatedProcesses } from './process.ts'
import type { VirtualTime } from './virtual-time.ts'

const SECOND = 1000
const TIMEOUT_MS = 2500
/** Between two disturbances of the whole store. */
const MAX_CALM_MS = 20 * SECOND
const MAX_SILENCE_MS = 30 * SECOND
/** Longer than a replica should lag, so that wipes of ended attempts are undone too. */
const MAX_LAG_MS = 60 * SECOND

interface Held {
  readonly bytes: Buffer
  readonly until: number
}

export interface SharedHold {
  readonly store: SealedStore
  /** Cards that were evicted, emptied out or not yet at the replica. */
  readonly lost: number
  /** Wiped cards that a failover brought back. */
  readonly back: number
  stopFaults(): void
}

export const sharedHold = (
  time: VirtualTime,
  random: SeededRandom,
  faultRate: number,
  { step }: Pick<SimulatedProcesses, 'step'>,
): SharedHold => {
  const connection = faultyConnection(time, random.split(), TIMEOUT_MS, faultRate / 2, 0)
  const held = new Map<string, Held>()
  /** What stood under a name before each change, the latest last. */
  const changes: { readonly at: number; readonly name: string; readonly before: Held | undefined }[] = []
  let [hasFaults, lost, back] = [true, 0, 0]

  const put = (name: string, value: Held | undefined): void => {
    if (value === undefined) held.delete(name)
    else held.set(name, value)
  }
  const change = (name: string, value: Held | undefined): void => {
    changes.push({ at: time.now(), name, before: held.get(name) })
    put(name, value)
  }
  const lose = (name: string): void => {
    lost += 1
    change(name, undefined)
  }
  const call = <T>(name: string, act: () => T): Promise<T> =>
    step(`hold ${name}`, async () => {
      const delivery = await connection.deliver(act, true)
      if (delivery.arrived) return delivery.answer
      throw new Error(delivery.why)
    })
  const read = (name: string): Buffer | null => {
    const found = held.get(name)
    if (found === undefined || found.until <= time.now()) return null
    if (!hasFaults || !random.chance(faultRate / 4)) return found.bytes
    if (random.chance(0.5)) return [...held.values()][random.between(0, held.size - 1)]?.bytes ?? null
    lose(name)
    return null
  }

  const failOver = (): void => {
    const since = time.now() - random.between(0, MAX_LAG_MS)
    for (let last = changes.at(-1); last !== undefined && last.at >= since; last = changes.at(-1)) {
      changes.pop()
      if (last.before === undefined) lost += held.has(last.name) ? 1 : 0
      else back += held.has(last.name) ? 0 : 1
      put(last.name, last.before)
    }
  }
  const disturb = async (): Promise<void> => {
    for (;;) {
      await time.sleep(random.between(0, MAX_CALM_MS))
      if (!hasFaults) return
      if (!random.chance(Math.min(0.5, faultRate * 5))) continue
      const disturbance = random.oneOf(['emptied', 'silent', 'fails over', 'fails over'])
      if (disturbance === 'emptied') for (const name of held.keys()) lose(name)
      if (disturbance === 'silent') connection.goSilentUntil(time.now() + random.between(0, MAX_SILENCE_MS))
      if (disturbance === 'fails over') failOver()
    }
  }
  if (faultRate > 0) void disturb()

  return {
    store: {
      set: (name, bytes, ms) => call('set', () => change(name, { bytes, until: time.now() + ms })),
      get: (names) => call('get', () => names.map(read)),
      delete: (names) => call('delete', () => names.forEach((name) => change(name, undefined))),
    },
    get lost() {
      return lost
    },
    get back() {
      return back
    },
    stopFaults: () => {
      hasFaults = false
      connection.stopFaults()
    },
  }
}
