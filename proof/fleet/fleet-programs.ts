/** Programs of the fleet proof: HAProxy, Patroni, etcd, Valkey or Redis, and PostgreSQL, as the system has installed them. */
import { join } from 'node:path'
import { isProgram } from '../../tools/browser/is-program.ts'
import { CannotRunHere } from '../../tools/command-error.mjs'
import { defaultBinaryFolders, findBinaries, type BinaryFolders } from '../../tools/test/postgres.ts'
import { onPath } from '../programs/find-programs.ts'

export interface FleetPrograms {
  readonly haproxy: string
  readonly patroni: string
  readonly etcd: string
  /** Valkey, else Redis: also the program of the Sentinels. */
  readonly valkey: string
  /** The folder with PostgreSQL's programs. */
  readonly postgresBin: string
}

const WANTED = {
  haproxy: { names: ['haproxy'], from: 'haproxy' },
  patroni: { names: ['patroni'], from: 'patroni' },
  etcd: { names: ['etcd'], from: 'etcd-server' },
  valkey: { names: ['valkey-server', 'redis-server'], from: 'redis-server' },
} as const

const INSTALL = 'apt-get install haproxy patroni etcd-server redis-server postgresql'

/** Or a refusal that names each program that is missing: a double in its place would prove nothing about it. */
export const findFleetPrograms = (
  path: string,
  folders: BinaryFolders = { ...defaultBinaryFolders, npm: '' },
): FleetPrograms => {
  const missing: string[] = []
  const find = (what: keyof typeof WANTED): string => {
    const { names, from } = WANTED[what]
    // Debian keeps some of them where only root's PATH leads.
    const found = onPath({ PATH: `${path}:/usr/sbin` }, ...names).find(isProgram)
    if (found === undefined) missing.push(`${names.join(' or ')} (package ${from})`)
    return found ?? ''
  }
  const found = { haproxy: find('haproxy'), patroni: find('patroni'), etcd: find('etcd'), valkey: find('valkey') }
  const postgres = findBinaries(folders)
  if (postgres === undefined) missing.push('PostgreSQL 15 or later below /usr/lib/postgresql (package postgresql)')
  if (postgres === undefined || missing.length > 0)
    throw new CannotRunHere(`${missing.join(', ')} not found. On Debian: ${INSTALL}`)
  return { ...found, postgresBin: join(postgres.folder, 'bin') }
}
