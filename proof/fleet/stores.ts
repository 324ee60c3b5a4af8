/** Stores of the fleet: etcd, three PostgreSQL with Patroni, Valkey with a replica and three Sentinels, and HAProxy, from deploy/. */
import { chownSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Account } from '../../tools/test/postgres.ts'
import { fleetValues, type FleetPorts, type FleetSecrets } from './addresses.ts'
import { fillTemplate, type Template } from './deployed-files.ts'
import { fleetProcess, postgresIn, type FleetProcess } from './fleet-process.ts'
import type { FleetPrograms } from './fleet-programs.ts'

export interface StoreSettings {
  readonly ports: FleetPorts
  readonly secrets: FleetSecrets
  readonly programs: FleetPrograms
  readonly folder: string
  readonly account: Account | undefined
  readonly path: string
}

export interface Stores {
  readonly haproxy: FleetProcess
  readonly etcd: FleetProcess
  /** Each with its PostgreSQL: a signal reaches both, as if it were a machine. */
  readonly patroni: readonly FleetProcess[]
  readonly holds: readonly FleetProcess[]
  readonly sentinels: readonly FleetProcess[]
  readonly all: readonly FleetProcess[]
}

const HOST = '127.0.0.1'

export const prepareStores = ({ ports, secrets, programs, folder, account, path }: StoreSettings): Stores => {
  const owned = (file: string): string => {
    if (account !== undefined) chownSync(file, account.uid, account.gid)
    return file
  }
  const process = (
    name: string,
    commandIn: (home: string) => readonly [string, ...string[]],
    more: { readonly env?: Record<string, string>; readonly others?: (home: string) => readonly number[] } = {},
  ): FleetProcess => {
    const home = join(folder, name)
    mkdirSync(home)
    owned(home)
    const env = { PATH: path, LC_ALL: 'C', ...more.env }
    const others = () => more.others?.(home) ?? []
    return fleetProcess({ name, command: commandIn(home), home, account, env, others })
  }
  /** Filled once: Valkey and Sentinel write into their files who is the primary, and must find that when they start again. */
  const filled = (template: Template, home: string, own: Readonly<Record<string, string>> = {}): string => {
    const values = { ...fleetValues(ports, secrets, home, programs.postgresBin), ...own }
    const file = join(home, template)
    writeFileSync(file, fillTemplate(template, values), { mode: 0o600 })
    return owned(file)
  }

  const clientUrl = `http://${HOST}:${ports.etcd}`
  const peerUrl = `http://${HOST}:${ports.etcdPeer}`
  const etcd = process(
    'etcd',
    (home) => [
      programs.etcd,
      '--name=etcd',
      '--enable-v2',
      `--data-dir=${join(home, 'data')}`,
      `--listen-client-urls=${clientUrl}`,
      `--advertise-client-urls=${clientUrl}`,
      `--listen-peer-urls=${peerUrl}`,
      `--initial-advertise-peer-urls=${peerUrl}`,
      `--initial-cluster=etcd=${peerUrl}`,
    ],
    // Debian's etcd 3.4 starts on a processor that its makers do not test only where this names it.
    { env: { ETCD_UNSUPPORTED_ARCH: globalThis.process.arch } },
  )
  const patroni = ports.patroni.map((port, index) =>
    process(
      `patroni-${index + 1}`,
      (home) => [
        programs.patroni,
        filled('patroni.yml', home, {
          NODE: String(index + 1),
          POSTGRES_ADDRESS: `${HOST}:${ports.postgres[index]}`,
          PATRONI_ADDRESS: `${HOST}:${port}`,
        }),
      ],
      { others: (home) => postgresIn(join(home, 'data')) },
    ),
  )
  const holds = ports.holds.map((port, index) =>
    process(`hold-${index + 1}`, (home) => [
      programs.valkey,
      filled('valkey.conf', home, {
        HOLD_HOST: HOST,
        HOLD_PORT: String(port),
        HOLD_REPLICA_OF: index === 0 ? 'no one' : `${HOST} ${ports.holds[0]}`,
      }),
    ]),
  )
  const sentinels = ports.sentinels.map((port, index) =>
    process(`sentinel-${index + 1}`, (home) => [
      programs.valkey,
      filled('sentinel.conf', home, { SENTINEL_HOST: HOST, SENTINEL_PORT: String(port) }),
      '--sentinel',
    ]),
  )
  const haproxy = process('haproxy', (home) => [programs.haproxy, '-db', '-f', filled('haproxy.cfg', home)])
  return { haproxy, etcd, patroni, holds, sentinels, all: [haproxy, ...sentinels, ...holds, ...patroni, etcd] }
}
