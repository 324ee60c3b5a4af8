import type { FastifyInstance } from 'fastify'
import type { Parts } from '../../server/parts.ts'
import { openApp } from '../harness/shop.ts'

let current: Parts | null = null

const now = (): Parts => {
  if (current === null) throw new Error('no world is running')
  return current
}

/** Hands every question on to the world that runs now. */
const parts: Parts = {
  get database() {
    return now().database
  },
  get gateway() {
    return now().gateway
  },
  get threeDSServer() {
    return now().threeDSServer
  },
  get cardHold() {
    return now().cardHold
  },
  get clock() {
    return now().clock
  },
  get random() {
    return now().random
  },
  get gatewayTimeoutMs() {
    return now().gatewayTimeoutMs
  },
  log: {
    info: () => undefined,
    warn: (...line) => now().log.warn(...line),
    error: (...line) => now().log.error(...line),
    alarm: (...line) => now().log.alarm(...line),
    answered: () => undefined,
  },
  publicBase: new URL('http://localhost:3000'),
}

let app: Promise<FastifyInstance> | null = null

/** The real app serves world after world, one at a time: to build it takes longer than a whole small world. */
export const serveWorld = async (world: Parts): Promise<{ readonly app: FastifyInstance; end(): void }> => {
  if (current !== null) throw new Error('worlds run one after another')
  current = world
  app ??= openApp(parts)
  return {
    app: await app,
    end: () => {
      current = null
    },
  }
}
