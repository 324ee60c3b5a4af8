/** Schedule of delayed charges: books pending orders and queued charges when they are due, after a restart as well. */
import type { Order } from './order-rows.ts'
import type { OrderStore } from './order-store.ts'

interface DueCharges {
  /** To be called before any order is read, so that no reader sees a state whose time has passed. */
  bookNow(): void
  /** To be called after a pending order or a queued charge was stored. */
  setTimer(): void
  waitUntilBooked(order: Order): Promise<Order>
  stop(): void
}

export const scheduleDueCharges = (orders: OrderStore): DueCharges => {
  const waiting = new Set<() => void>()
  let timer: NodeJS.Timeout | undefined

  const bookNow = (): void => {
    if (!orders.bookDueCharges(Date.now())) return
    const resolvers = [...waiting]
    waiting.clear()
    for (const resolve of resolvers) resolve()
  }

  const setTimer = (): void => {
    clearTimeout(timer)
    const dueAt = orders.nextDueAt()
    if (dueAt === undefined) return
    timer = setTimeout(
      () => {
        bookNow()
        setTimer()
      },
      Math.max(1, dueAt - Date.now()),
    )
  }

  const waitUntilBooked = async (order: Order): Promise<Order> => {
    let current = order
    while (current.status === 'pending') {
      await new Promise<void>((resolve) => {
        waiting.add(resolve)
      })
      current = orders.find(order.orderId) ?? current
    }
    return current
  }

  bookNow()
  setTimer()
  return { bookNow, setTimer, waitUntilBooked, stop: () => clearTimeout(timer) }
}
