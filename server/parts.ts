import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CardHold, Clock, Gateway, Random, ThreeDSServer } from '#payment/ports.ts'
import type { Log } from './log.ts'
import type { Database } from './store/database.ts'

/** Everything the server's own rules need of the world. Tests and the simulator hand in others. */
export interface Parts {
  readonly database: Database
  readonly gateway: Gateway
  readonly threeDSServer: ThreeDSServer
  readonly cardHold: CardHold
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly gatewayTimeoutMs: number
}

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: async (ms) => {
    await sleep(ms)
  },
}

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567'
const ID_LENGTH = 32
const ID = new RegExp(`^[${BASE32}]{${ID_LENGTH}}$`)

/** Whether a text can be an id of ours. What cannot is not looked up: PostgreSQL takes a zero byte in a text for a fault. */
export const isId = (text: string): boolean => ID.test(text)

/** 32 characters of 5 bits each, every character from its own random byte: 256 is a multiple of 32, so none is favoured. */
export const systemRandom: Random = {
  id: () => Array.from(randomBytes(ID_LENGTH), (byte) => BASE32[byte % BASE32.length]).join(''),
}
