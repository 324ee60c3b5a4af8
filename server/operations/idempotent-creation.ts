/** Idempotent creation: what an Idempotency-Key has made is found again when the same request is sent again. */
import { isRefusal, refuse, type Refusal } from '#contract/errors.ts'
import type { Dependencies } from '../dependencies.ts'
import { findEarlierRequest, isKeyConflict, type IdempotentRequest } from '../store/checkout/idempotency-keys.ts'
import type { KeyScope } from '../store/merchant/keys.ts'
import { mustExist } from './locked-checkout.ts'

interface Creation<Created, Found> {
  /** Stores it together with the key of the request. */
  create(): Promise<Created | Refusal>
  /** What the same request made before, as it is now. */
  find(id: string): Promise<Found | null>
}

type Once<Created, Found> = { readonly created: Created } | { readonly found: Found }

/** A key that is more than 24 hours old is deleted and stored again; another call may store it in between. */
const TRIES = 3

/** What the same request made before; null: the key is free. */
const replay = async <Found>(
  { database, clock }: Pick<Dependencies, 'database' | 'clock'>,
  scope: KeyScope,
  { keyHash, bodyHash }: IdempotentRequest,
  find: (id: string) => Promise<Found | null>,
): Promise<{ readonly found: Found } | Refusal | null> => {
  const earlier = await findEarlierRequest(database, scope, keyHash, clock.now())
  if (earlier === null) return null
  if (earlier.bodyHash !== bodyHash) return refuse('idempotency_key_reused')
  return { found: mustExist(await find(earlier.id), 'what an idempotency key has made') }
}

/**
 * Without a request each call creates. With one it stores first, together with the key: most keys are new, and of two calls at once the database accepts one. A refused body uses
 * no key. A body that was accepted before may be refused now, because its deadline has passed.
 */
export const createOnce = async <Created extends object, Found>(
  deps: Pick<Dependencies, 'database' | 'clock'>,
  scope: KeyScope,
  request: IdempotentRequest | undefined,
  { create, find }: Creation<Created, Found>,
): Promise<Once<Created, Found> | Refusal> => {
  if (request === undefined) {
    const created = await create()
    return isRefusal(created) ? created : { created }
  }
  for (let tries = 1; ; tries += 1) {
    let refusal: Refusal | undefined
    try {
      const created = await create()
      if (!isRefusal(created)) return { created }
      refusal = created
    } catch (error) {
      if (!isKeyConflict(error) || tries === TRIES) throw error
    }
    const earlier = await replay(deps, scope, request, find)
    if (earlier !== null && !isRefusal(earlier)) return earlier
    if (refusal !== undefined) return refusal
    if (earlier !== null) return earlier
  }
}
