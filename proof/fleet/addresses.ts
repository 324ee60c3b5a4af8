/** Addresses of the fleet proof: a port of loopback for each process, and the values of the names in deploy/. */
import { randomBytes } from 'node:crypto'
import { freePort } from '../harness/server-process.ts'
import { readVariables } from './deployed-files.ts'

const HOST = '127.0.0.1'
const THREE = [1, 2, 3] as const

export interface FleetPorts {
  readonly http: number
  readonly database: number
  readonly etcd: number
  readonly etcdPeer: number
  readonly servers: readonly number[]
  readonly postgres: readonly number[]
  readonly patroni: readonly number[]
  readonly holds: readonly number[]
  readonly sentinels: readonly number[]
}

/** Below those that the system gives to outgoing connections: one that is killed finds its port free when it starts again. */
const takePorts = async (): Promise<() => number> => {
  const taken = new Set<number>()
  while (taken.size < 20) {
    const port = await freePort()
    taken.add(port).add(port + 1)
  }
  const left = [...taken]
  return () => left.pop() ?? 0
}

export const takeFleetPorts = async (): Promise<FleetPorts> => {
  const next = await takePorts()
  const some = (many: number): number[] => Array.from({ length: many }, next)
  return {
    http: next(),
    database: next(),
    etcd: next(),
    etcdPeer: next(),
    servers: some(3),
    postgres: some(3),
    patroni: some(3),
    holds: some(2),
    sentinels: some(3),
  }
}

export interface FleetSecrets {
  readonly postgres: string
  readonly kaikei: string
  readonly hold: string
}

export const newSecrets = (): FleetSecrets => {
  const secret = (): string => randomBytes(16).toString('hex')
  return { postgres: secret(), kaikei: secret(), hold: secret() }
}

/** The value of every name of deploy/fleet.env: one that is missing here is refused when a file is filled. */
export const fleetValues = (
  ports: FleetPorts,
  secrets: FleetSecrets,
  folder: string,
  postgresBin: string,
): Record<string, string> => {
  const at = (port: number | undefined): string => `${HOST}:${port}`
  const each = (name: string, value: (index: number) => string): Record<string, string> =>
    Object.fromEntries(THREE.map((node) => [`${name}_${node}`, value(node - 1)]))
  const values: Readonly<Record<string, string>> = {
    HTTP_BIND: at(ports.http),
    PUBLIC_HOST: `localhost:${ports.http}`,
    DATABASE_BIND: at(ports.database),
    ETCD: at(ports.etcd),
    POSTGRES_BIN: postgresBin,
    HOLD_PRIMARY: `${HOST} ${ports.holds[0]}`,
    POSTGRES_PASSWORD: secrets.postgres,
    REPLICATION_PASSWORD: secrets.postgres,
    HOLD_PASSWORD: secrets.hold,
    HOLD_DIR: folder,
    SENTINEL_DIR: folder,
    POSTGRES_DIR: folder,
    ...each('SERVER', (index) => at(ports.servers[index])),
    ...each('POSTGRES', (index) => at(ports.postgres[index])),
    ...each('PATRONI_PORT', (index) => String(ports.patroni[index])),
  }
  return Object.fromEntries(Object.keys(readVariables('fleet.env')).map((name) => [name, values[name] ?? `no ${name}`]))
}
