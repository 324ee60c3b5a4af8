import type { FastifyInstance } from 'fastify'
import type { Parts } from '../../server/parts.ts'
import { createTestApp, NO_LANE_LIMITS } from '../harness/test-server.ts'
import { WEBHOOK_PARTS } from '../harness/webhook-parts.ts'

let current: Parts | null = null

const currentParts = (): Parts => {
  if (current === null) throw new Error('no world is running')
  return current
}

/** Shared parts: each call goes to the simulated world that runs now. */
const parts: Parts = {
  get database() {
    return currentParts().database
  },
  get writeProbe() {
    return currentParts().writeProbe
  },
  get clockCheck() {
    return currentParts().clockCheck
  },
  get findMerchant() {
    return currentParts().findMerchant
  },
  get gateway() {
    return currentParts().gateway
  },
  get threeDSServer() {
    return currentParts().threeDSServer
  },
  get cardHold() {
    return currentParts().cardHold
  },
  get elapsed() {
    return currentParts().elapsed
  },
  get clock() {
    return currentParts().clock
  },
  get random() {
    return currentParts().random
  },
  get gatewayTimeoutMs() {
    return currentParts().gatewayTimeoutMs
  },
  get cardTestingLimits() {
    return currentParts().cardTestingLimits
  },
  get cardFingerprint() {
    return currentParts().cardFingerprint
  },
  get cardMark() {
    return currentParts().cardMark
  },
  get askedCards() {
    return currentParts().askedCards
  },
  get declineFloorMs() {
    return currentParts().declineFloorMs
  },
  log: {
    info: () => undefined,
    warn: (...args) => currentParts().log.warn(...args),
    error: (...args) => currentParts().log.error(...args),
    alarm: (...args) => currentParts().log.alarm(...args),
    limited: () => undefined,
    answered: () => undefined,
  },
  ...WEBHOOK_PARTS,
  publicBase: new URL('http://localhost:3000'),
}

let app: Promise<FastifyInstance> | null = null

/** Shared app: the real app serves one world after another, because building it takes longer than a whole small run. */
export const serveWorld = async (world: Parts): Promise<{ readonly app: FastifyInstance; end(): void }> => {
  if (current !== null) throw new Error('worlds run one after another')
  current = world
  app ??= createTestApp(parts, null, { lanes: NO_LANE_LIMITS })
  return {
    app: await app,
    end: () => {
      current = null
    },
  }
}
