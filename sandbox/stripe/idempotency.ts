/**
 * Idempotency keys (API reference, Idempotent requests): the first status and body again for the same request, an error
 * for another request under the same key, and a conflict while the first is still being executed.
 */
import { parseJsonObject } from '../http/json.ts'
import { refused, type Answer } from './answers.ts'
import type { Store } from './store.ts'

const LIFETIME_MS = 24 * 60 * 60 * 1000
const MAX_LENGTH = 255

export interface KeyedRequest {
  readonly account: string
  /** Null: the caller sent none, and every request is executed. */
  readonly key: string | null
  /** Keyed hash of path and parameters: they may hold a card number. */
  readonly fingerprint: string
}

interface Idempotency {
  /** Executes in one transaction with saving the answer. `replayed` says that nothing was executed. */
  execute(
    request: KeyedRequest,
    now: number,
    work: () => Answer,
  ): { readonly answer: Answer; readonly replayed: boolean }
  /** Marks the key as being executed until the returned function is called. */
  hold(request: KeyedRequest): () => void
}

export const keyRefusal = (key: string | null): Answer | undefined =>
  key === null || (key !== '' && key.length <= MAX_LENGTH)
    ? undefined
    : refused(400, `Idempotency-Key must have 1 to ${MAX_LENGTH} characters`)

export const openIdempotency = (store: Store): Idempotency => {
  // In memory: the execution that a killed process was in the middle of is rolled back, and its key is free.
  const inUse = new Set<string>()
  const slotOf = ({ account, key }: KeyedRequest): string => `${account} ${key}`

  const earlierOf = (request: KeyedRequest, key: string, now: number): Answer | 'mismatch' | undefined => {
    const earlier = store.findAnswer(request.account, key, now - LIFETIME_MS)
    if (earlier === undefined) return undefined
    if (earlier.fingerprint !== request.fingerprint) return 'mismatch'
    const body = parseJsonObject(earlier.body)
    if (body === undefined) throw new Error('a stored answer is not as it was written')
    return { status: earlier.status, body, began: true, delivery: { kind: 'answer' } }
  }

  const run = (request: KeyedRequest, now: number, work: () => Answer): Answer =>
    store.inTransaction(() => {
      const answer = work()
      if (answer.began && request.key !== null) {
        const { status, body } = answer
        const { account, key, fingerprint } = request
        store.saveAnswer(account, key, { fingerprint, status, body: JSON.stringify(body) }, now)
      }
      return answer
    })

  return {
    execute: (request, now, work) => {
      const { key } = request
      if (key === null) return { answer: run(request, now, work), replayed: false }
      if (inUse.has(slotOf(request))) {
        const message =
          'There is currently another in-progress request using this Idempotent Key (that probably means you submitted twice, and the other request is still going through). Try again with the same key in a moment.'
        return {
          answer: refused(409, message, { type: 'idempotency_error', code: 'idempotency_key_in_use' }),
          replayed: false,
        }
      }
      const earlier = earlierOf(request, key, now)
      if (earlier === 'mismatch') {
        const message =
          'Keys for idempotent requests can only be used with the same parameters they were first used with. Try using another key if you meant to execute a different request.'
        return { answer: refused(400, message, { type: 'idempotency_error' }), replayed: false }
      }
      if (earlier !== undefined) return { answer: earlier, replayed: true }
      return { answer: run(request, now, work), replayed: false }
    },
    hold: (request) => {
      if (request.key !== null) inUse.add(slotOf(request))
      return () => inUse.delete(slotOf(request))
    },
  }
}
