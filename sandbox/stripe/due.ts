/** What is due: before any request is read, so that no reader sees a state whose time has passed, after a restart as well. */
import { parseJsonObject } from '../http/json.ts'
import { confirmIntent } from './confirm.ts'
import type { KeyedRequest } from './idempotency.ts'
import type { Operation } from './operation.ts'
import type { Store } from './store.ts'
import type { Answer } from './answers.ts'

interface Due {
  readonly store: Store
  readonly now: number
  operationOf(account: string): Operation
  execute(request: KeyedRequest, work: () => Answer): void
}

export const settleDue = ({ store, now, operationOf, execute }: Due): void => {
  for (const intent of store.intents.due(now)) {
    store.inTransaction(() => {
      const charge = store.charges.find(intent.latestCharge ?? '')
      if (charge !== undefined) store.charges.update({ ...charge, status: 'succeeded' })
      store.intents.update({ ...intent, status: 'succeeded', dueAt: null })
    })
  }
  for (const refund of store.refunds.due(now)) {
    store.refunds.update({ ...refund, status: refund.later?.status ?? refund.status, later: null })
  }
  for (const confirm of store.queuedUntil(now)) {
    const { account, intent, parameters, idempotencyKey, fingerprint } = confirm
    const values = parseJsonObject(parameters) ?? {}
    execute({ account, key: idempotencyKey, fingerprint }, () =>
      confirmIntent(operationOf(account), intent, values, { kind: 'late' }),
    )
    // Only now: a kill before this line executes it again, which the state of the intent refuses. Before, it would be lost.
    store.removeQueued(confirm)
  }
}
