/** Faults of the fleet: what is killed, frozen, switched over or emptied, and how it is mended. */
import { systemClock } from '../../server/dependencies.ts'
import type { SeededRandom } from '../harness/seeded-random.ts'
import type { Fleet } from './fleet.ts'
import type { FleetProcess } from './fleet-process.ts'
import type { KaikeiProcess } from './kaikei-process.ts'
import { askValkey, databasePrimary, databaseStandby, holdPrimary, switchOver } from './store-states.ts'

export interface Fault {
  readonly name: string
  /** Resolves when all that was ended or frozen runs again. */
  strike(fleet: Fleet): Promise<void>
}

/** Longer than the Sentinels take to replace it, as deploy/sentinel.conf asks of a supervisor. */
const HOLD_RESTART_MS = 12_000
const RESTART_MS = 1000
const FROZEN_MS = 6000
/** Longer than a primary that is lost keeps its place (ttl in deploy/patroni.yml): another one takes over meanwhile. */
const PRIMARY_AWAY_MS = 24_000

const at = <T>(list: readonly T[], index: number): T => {
  const found = list[index]
  if (found === undefined) throw new Error('there is no primary to strike')
  return found
}

const killAndStart = async (process: FleetProcess, afterMs: number, how?: 'alone'): Promise<void> => {
  await process.kill(how)
  await systemClock.sleep(afterMs)
  await process.start()
}

const freeze = async (process: FleetProcess | KaikeiProcess, ms: number): Promise<void> => {
  process.signal('SIGSTOP')
  await systemClock.sleep(ms)
  process.signal('SIGCONT')
}

const primaryOf = async ({ stores, ports }: Fleet): Promise<FleetProcess> =>
  at(stores.patroni, await databasePrimary(ports))
const standbyOf = async ({ stores, ports }: Fleet): Promise<FleetProcess> =>
  at(stores.patroni, await databaseStandby(ports))
const holdPrimaryOf = async ({ stores, ports, secrets }: Fleet): Promise<FleetProcess> =>
  at(stores.holds, await holdPrimary(ports, secrets))
const holdReplicaOf = async ({ stores, ports, secrets }: Fleet): Promise<FleetProcess> =>
  at(stores.holds, 1 - (await holdPrimary(ports, secrets)))

/** Each of these is measured by its name. */
export const NAMED_FAULTS = {
  'planned switchover': async ({ ports }) => {
    const status = await switchOver(ports, await databasePrimary(ports), await databaseStandby(ports))
    if (status !== 200) throw new Error(`Patroni answered ${status} to the switchover`)
  },
  'database failover': async (fleet) => killAndStart(await primaryOf(fleet), PRIMARY_AWAY_MS),
  'Valkey failover': async (fleet) => killAndStart(await holdPrimaryOf(fleet), HOLD_RESTART_MS),
  FLUSHALL: async ({ ports, secrets }) => {
    const port = at(ports.holds, await holdPrimary(ports, secrets))
    const answer = await askValkey(port, secrets.hold, 'FLUSHALL')
    if (answer !== 'OK') throw new Error('Valkey did not answer FLUSHALL with OK')
  },
  'frozen Valkey': async (fleet) => freeze(await holdPrimaryOf(fleet), HOLD_RESTART_MS),
} satisfies Readonly<Record<string, Fault['strike']>>

type Strike = (fleet: Fleet, random: SeededRandom) => Promise<void>

const anyOf = <T>(random: SeededRandom, list: readonly T[]): T => at(list, random.between(0, list.length - 1))

/** Every kind of process, killed and frozen; a frozen one goes on or is killed. */
const RANDOM_FAULTS: Readonly<Record<string, Strike>> = {
  'server killed': async ({ servers }, random) => anyOf(random, servers).signal('SIGKILL'),
  'server frozen': ({ servers }, random) => freeze(anyOf(random, servers), FROZEN_MS),
  'server frozen, then killed': async ({ servers }, random) => {
    const server = anyOf(random, servers)
    server.signal('SIGSTOP')
    await systemClock.sleep(FROZEN_MS)
    server.signal('SIGKILL')
  },
  'worker killed': async ({ workers }, random) => anyOf(random, workers).signal('SIGKILL'),
  'worker frozen': ({ workers }, random) => freeze(anyOf(random, workers), FROZEN_MS),
  'HAProxy killed': ({ stores }) => killAndStart(stores.haproxy, RESTART_MS),
  'HAProxy frozen': ({ stores }) => freeze(stores.haproxy, RESTART_MS),
  'etcd killed': ({ stores }) => killAndStart(stores.etcd, FROZEN_MS),
  'etcd frozen': ({ stores }) => freeze(stores.etcd, FROZEN_MS),
  'Patroni of the primary killed': async (fleet) => killAndStart(await primaryOf(fleet), RESTART_MS, 'alone'),
  'primary frozen': async (fleet) => freeze(await primaryOf(fleet), PRIMARY_AWAY_MS),
  'synchronous standby killed': async (fleet) => killAndStart(await standbyOf(fleet), FROZEN_MS),
  'synchronous standby frozen': async (fleet) => freeze(await standbyOf(fleet), 2 * FROZEN_MS),
  'replica of Valkey killed': async (fleet) => killAndStart(await holdReplicaOf(fleet), RESTART_MS),
  'replica of Valkey frozen': async (fleet) => freeze(await holdReplicaOf(fleet), FROZEN_MS),
  'Sentinel killed': ({ stores }, random) => killAndStart(anyOf(random, stores.sentinels), RESTART_MS),
  'Sentinel frozen': ({ stores }, random) => freeze(anyOf(random, stores.sentinels), FROZEN_MS),
}

/** All of them, in an order that the seed gives. */
export const randomFaults = (random: SeededRandom): Fault[] =>
  Object.entries(RANDOM_FAULTS)
    .map(([name, strike]) => ({ name, rank: random.fraction(), strike: (fleet: Fleet) => strike(fleet, random) }))
    .toSorted((a, b) => a.rank - b.rank)
