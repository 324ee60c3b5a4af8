import type { FastifyInstance } from 'fastify'
import type { Dependencies } from '../../server/dependencies.ts'
import { createTestApp, NO_LANE_LIMITS } from '../harness/test-server.ts'
import { WEBHOOK_PARTS } from '../harness/webhook-parts.ts'

let current: Dependencies | null = null

const currentDependencies = (): Dependencies => {
  if (current === null) throw new Error('no world is running')
  return current
}

/** Shared parts: each call goes to the simulated world that runs now. */
const deps: Dependencies = {
  get database() {
    return currentDependencies().database
  },
  get writeProbe() {
    return currentDependencies().writeProbe
  },
  get clockCheck() {
    return currentDependencies().clockCheck
  },
  get findMerchant() {
    return currentDependencies().findMerchant
  },
  get gateway() {
    return currentDependencies().gateway
  },
  get threeDSServer() {
    return currentDependencies().threeDSServer
  },
  get cardHold() {
    return currentDependencies().cardHold
  },
  get elapsed() {
    return currentDependencies().elapsed
  },
  get clock() {
    return currentDependencies().clock
  },
  get random() {
    return currentDependencies().random
  },
  get gatewayTimeoutMs() {
    return currentDependencies().gatewayTimeoutMs
  },
  get cardTestingLimits() {
    return currentDependencies().cardTestingLimits
  },
  get cardFingerprint() {
    return currentDependencies().cardFingerprint
  },
  get cardMark() {
    return currentDependencies().cardMark
  },
  get shopVelocity() {
    return currentDependencies().shopVelocity
  },
  get declineFloorMs() {
    return currentDependencies().declineFloorMs
  },
  log: {
    info: () => undefined,
    warn: (...args) => currentDependencies().log.warn(...args),
    error: (...args) => currentDependencies().log.error(...args),
    alarm: (...args) => currentDependencies().log.alarm(...args),
    limited: () => undefined,
    answered: () => undefined,
  },
  ...WEBHOOK_PARTS,
  publicBase: new URL('http://localhost:3000'),
}

let app: Promise<FastifyInstance> | null = null

/** Shared app: the real app serves one world after another, because building it takes longer than a whole small run. */
export const serveWorld = async (world: Dependencies): Promise<{ readonly app: FastifyInstance; end(): void }> => {
  if (current !== null) throw new Error('worlds run one after another')
  current = world
  app ??= createTestApp(deps, null, { lanes: NO_LANE_LIMITS })
  return {
    app: await app,
    end: () => {
      current = null
    },
  }
}
