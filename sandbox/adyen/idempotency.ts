/**
 * Idempotency of Adyen's calls: one key, one request, one answer, for seven days.
 * docs.adyen.com/development-resources/api-idempotency
 */
import { createHmac, randomBytes } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { json, type Reply } from '../http/router.ts'
import { serviceError } from './error-answers.ts'
import type { AdyenStore } from './store.ts'

export const KEY_MAX_CHARACTERS = 64
const VALIDITY_MS = 7 * 24 * 60 * 60 * 1000

export interface KeyedRequest {
  readonly merchantAccount: string
  readonly key: string
  readonly requestHash: string
}

export interface Idempotency {
  requestHash(path: string, body: object): string
  /** The answer to a request whose key was seen before; undefined where it is to be executed. */
  replay(request: KeyedRequest): Reply | undefined
  /** To be called in the transaction that books: an answer that was lost is found by its key. */
  keep(request: KeyedRequest, status: number, body: object, readyAt: number): void
  /** Runs while the key counts as under way. */
  whileUnderWay(request: KeyedRequest, work: () => Promise<Reply>): Promise<Reply>
}

const KEY_BYTES = 32

/** Keyed, because a bare hash of a body with a card number in it can be searched back. */
const readOrCreateKey = (file: string): Buffer => {
  if (!existsSync(file)) {
    // Written to a temporary file and renamed: a kill in between would leave an empty key behind.
    writeFileSync(`${file}.${process.pid}`, randomBytes(KEY_BYTES), { mode: 0o600, flush: true })
    renameSync(`${file}.${process.pid}`, file)
  }
  const key = readFileSync(file)
  if (key.length !== KEY_BYTES)
    throw new Error(`${file} is not a key of ${KEY_BYTES} bytes; remove the folder it is in`)
  return key
}

export const openIdempotency = (store: AdyenStore, now: () => number, keyFile: string): Idempotency => {
  const hashKey = readOrCreateKey(keyFile)
  const underWay = new Set<string>()
  const nameOf = ({ merchantAccount, key }: KeyedRequest): string => `${merchantAccount}/${key}`
  const inProgress = (): Reply =>
    serviceError('in_progress', 'request already processed or in progress', { 'transient-error': 'true' })

  return {
    requestHash: (path, body) =>
      createHmac('sha256', hashKey)
        .update(`${path}\n${JSON.stringify(body)}`)
        .digest('base64url'),
    replay: (request) => {
      const known = store.answer(request.merchantAccount, request.key)
      if (known === undefined || now() - known.createdAt >= VALIDITY_MS) return undefined
      // No document says what Adyen answers here; nothing that may be another charge is executed under a used key.
      if (known.requestHash !== request.requestHash)
        return serviceError('key_used_otherwise', 'This idempotency key was used for another request')
      if (underWay.has(nameOf(request)) || now() < known.readyAt) return inProgress()
      const body: unknown = JSON.parse(known.body)
      return json(known.status, typeof body === 'object' && body !== null ? { ...body } : {})
    },
    keep: ({ merchantAccount, key, requestHash }, status, body, readyAt) =>
      store.saveAnswer(merchantAccount, key, {
        requestHash,
        status,
        body: JSON.stringify(body),
        createdAt: now(),
        readyAt,
      }),
    whileUnderWay: async (request, work) => {
      underWay.add(nameOf(request))
      try {
        return await work()
      } finally {
        underWay.delete(nameOf(request))
      }
    },
  }
}
