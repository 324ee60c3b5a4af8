/** States of the stores: who is the primary, and whether each part is whole again after a fault. */
import { Redis } from 'ioredis'
import { Type, type Static } from 'typebox'
import { Check } from 'typebox/value'
import { send } from '../harness/shop-client.ts'
import type { FleetPorts, FleetSecrets } from './addresses.ts'

const HOST = '127.0.0.1'
const ASK_TIMEOUT_MS = 2000

const Cluster = Type.Object({
  members: Type.Array(Type.Object({ name: Type.String(), role: Type.String(), state: Type.String() })),
})
type Member = Static<typeof Cluster>['members'][number]

/** What one Patroni says of all; undefined where it does not answer. */
const readCluster = async (port: number): Promise<readonly Member[] | undefined> => {
  try {
    const answer = await fetch(`http://${HOST}:${port}/cluster`, { signal: AbortSignal.timeout(ASK_TIMEOUT_MS) })
    const cluster: unknown = await answer.json()
    return Check(Cluster, cluster) ? cluster.members : undefined
  } catch {
    return undefined
  }
}

const statusOf = async (port: number, path: string, init: RequestInit = {}): Promise<number> => {
  try {
    return (await fetch(`http://${HOST}:${port}${path}`, { signal: AbortSignal.timeout(30_000), ...init })).status
  } catch {
    return 0
  }
}

const soon = (): RequestInit => ({ signal: AbortSignal.timeout(ASK_TIMEOUT_MS) })

/** Sends one command on a connection of its own; undefined where it is not answered. */
export const askValkey = async (
  port: number,
  password: string,
  ...command: [string, ...string[]]
): Promise<unknown> => {
  const client = new Redis({
    host: HOST,
    port,
    password,
    lazyConnect: true,
    retryStrategy: () => null,
    commandTimeout: ASK_TIMEOUT_MS,
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return await client.call(...command)
  } catch {
    return undefined
  } finally {
    client.disconnect()
  }
}

/** Index of the PostgreSQL that is the primary; -1: none. */
export const databasePrimary = async ({ patroni }: FleetPorts): Promise<number> => {
  const statuses = await Promise.all(patroni.map((port) => statusOf(port, '/primary', soon())))
  return statuses.indexOf(200)
}

/** Index of the one that has every commit too. */
export const databaseStandby = async ({ patroni }: FleetPorts): Promise<number> => {
  const statuses = await Promise.all(patroni.map((port) => statusOf(port, '/synchronous', soon())))
  return statuses.indexOf(200)
}

/** Planned: resolves with the status when the other is the primary. */
export const switchOver = ({ patroni }: FleetPorts, from: number, to: number): Promise<number> =>
  statusOf(patroni[from] ?? 0, '/switchover', {
    method: 'POST',
    body: JSON.stringify({ leader: `postgres-${from + 1}`, candidate: `postgres-${to + 1}` }),
  })

const isWhole = (members: readonly Member[] | undefined): boolean => {
  const roles =
    members
      ?.map(({ role }) => role)
      .toSorted()
      .join() ?? ''
  return (
    roles === 'leader,replica,sync_standby' && (members ?? []).every(({ state }) => /^(running|streaming)$/.test(state))
  )
}

/** A primary, one that has every commit, and a third that follows: as all three of them say. */
export const isDatabaseWhole = async ({ patroni }: FleetPorts): Promise<boolean> =>
  (await Promise.all(patroni.map(readCluster))).every(isWhole)

const holdRoles = ({ holds }: FleetPorts, { hold }: FleetSecrets): Promise<string[]> =>
  Promise.all(
    holds.map(async (port) => {
      const role = await askValkey(port, hold, 'ROLE')
      if (!Array.isArray(role)) return 'away'
      return role[0] === 'slave' ? String(role[3]) : String(role[0])
    }),
  )

/** Index of the Valkey that two Sentinels call the primary. */
export const holdPrimary = async ({ holds, sentinels }: FleetPorts, { hold }: FleetSecrets): Promise<number> => {
  const named = await Promise.all(
    sentinels.map((port) => askValkey(port, hold, 'SENTINEL', 'GET-MASTER-ADDR-BY-NAME', 'cards')),
  )
  const ports = named.map((address) => (Array.isArray(address) ? Number(address[1]) : 0))
  return holds.findIndex((port) => ports.filter((each) => each === port).length >= 2)
}

/** One primary with a replica that has all, and every Sentinel sees it and the two others. */
export const isHoldWhole = async (ports: FleetPorts, secrets: FleetSecrets): Promise<boolean> => {
  const roles = await holdRoles(ports, secrets)
  const primary = await holdPrimary(ports, secrets)
  const quorum = await Promise.all(
    ports.sentinels.map((port) => askValkey(port, secrets.hold, 'SENTINEL', 'CKQUORUM', 'cards')),
  )
  return (
    roles[primary] === 'master' &&
    roles.includes('connected') &&
    quorum.every((answer) => typeof answer === 'string' && answer.startsWith('OK 3 '))
  )
}

/** Whether HAProxy would give it calls. */
export const isReady = async (port: number, publicHost: string): Promise<boolean> => {
  const call = { method: 'GET', path: '/readyz', headers: { host: publicHost }, timeoutMs: ASK_TIMEOUT_MS } as const
  return send(port, call).then(
    ({ status }) => status === 200,
    () => false,
  )
}
