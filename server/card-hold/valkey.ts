/** Valkey (or Redis 7) as the store of sealed cards. Each call ends within the timeout, whatever the server does. */
import { Redis } from 'ioredis'
import type { Log } from '../log.ts'
import type { CardHoldAddress } from '../config/card-hold-address.ts'
import type { SealedStore } from './sealed.ts'

const RECONNECT_MAX_MS = 1000

/** What the store says of writing its memory to disk. */
export interface DiskSettings {
  /** The intervals after which it saves; empty: never. */
  readonly save: string
  readonly appendOnly: string
}

export interface ValkeyStore extends SealedStore {
  /** Null: it does not tell, as many hosted ones. Rejects where it is not reached. */
  diskSettings(): Promise<DiskSettings | null>
  close(): void
}

const optionsOf = (address: CardHoldAddress, timeoutMs: number) => {
  const { hosts, sentinelName, tls, username, password } = address
  const credentials = {
    ...(username === null ? {} : { username }),
    ...(password === null ? {} : { password }),
  }
  const [first] = hosts
  return {
    ...credentials,
    ...(tls ? { tls: {} } : {}),
    ...(sentinelName === null
      ? { host: first.host, port: first.port }
      : {
          sentinels: hosts.map(({ host, port }) => ({ host, port })),
          name: sentinelName,
          ...(password === null ? {} : { sentinelPassword: password }),
          ...(username === null ? {} : { sentinelUsername: username }),
          enableTLSForSentinelMode: tls,
          ...(tls ? { sentinelTLS: {} } : {}),
        }),
    connectionName: 'kaikei',
    // Counted from the call, so that a command that waits for a connection ends in time too.
    commandTimeout: timeoutMs,
    connectTimeout: timeoutMs,
    maxRetriesPerRequest: null,
    retryStrategy: (tries: number) => Math.min(tries * 50, RECONNECT_MAX_MS),
    // A failover leaves connections to a server that is now a replica: it refuses writes, and we connect again.
    reconnectOnError: ({ message }: Error): boolean | 2 => (message.startsWith('READONLY') ? 2 : false),
  }
}

export const openValkeyStore = (address: CardHoldAddress, timeoutMs: number, log: Pick<Log, 'warn'>): ValkeyStore => {
  const client = new Redis(optionsOf(address, timeoutMs))
  // Without a listener every broken connection would end the process.
  client.on('error', (error: Error) => log.warn('the card hold is not reached', { why: error.message }))
  return {
    set: async (name, bytes, ms) => {
      await client.set(name, bytes, 'PX', ms)
    },
    get: (names) => client.mgetBuffer([...names]),
    delete: async (names) => {
      await client.unlink([...names])
    },
    diskSettings: async () => {
      await client.ping()
      const setting = async (name: string): Promise<string | null> => {
        const answer: unknown = await client.config('GET', name).catch(() => null)
        const value: unknown = Array.isArray(answer) ? answer[1] : null
        return typeof value === 'string' ? value : null
      }
      const [save, appendOnly] = [await setting('save'), await setting('appendonly')]
      return save === null || appendOnly === null ? null : { save, appendOnly }
    },
    close: () => client.disconnect(),
  }
}
