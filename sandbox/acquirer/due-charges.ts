import type { Order } from './order-rows.ts'
import type { Orders } from './orders.ts'

type DueCharges = {
  /** To be called before any look at an order, so that no reader sees a state whose time has passed. */
  settle: () => void
  /** To be called after an order or a queued charge with a time of its own was stored. */
  arm: () => void
  whenBooked: (order: Order) => Promise<Order>
  stop: () => void
}

export const watchDueCharges = (orders: Orders): DueCharges => {
  const waiting = new Set<() => void>()
  let timer: NodeJS.Timeout | undefined

  const settle = (): void => {
    if (!orders.settle(Date.now())) return
    const woken = [...waiting]
    waiting.clear()
    for (const wake of woken) wake()
  }

  const arm = (): void => {
    clearTimeout(timer)
    const dueAt = orders.nextDueAt()
    if (dueAt === undefined) return
    timer = setTimeout(
      () => {
        settle()
        arm()
      },
      Math.max(1, dueAt - Date.now()),
    )
  }

  const whenBooked = async (order: Order): Promise<Order> => {
    let current = order
    while (current.status === 'pending') {
      await new Promise<void>((resolve) => {
        waiting.add(resolve)
      })
      current = orders.find(order.orderId) ?? current
    }
    return current
  }

  settle()
  arm()
  return { settle, arm, whenBooked, stop: () => clearTimeout(timer) }
}
