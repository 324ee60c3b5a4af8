import { useEffect } from 'react'
import type { PageCheckout } from '../answers.ts'
import { useInitialData } from '../page-context.ts'
import { isDue, pauseBeforeDeadlineMs } from './deadline.ts'

/** Reads the checkout when its deadline has passed, so that an open tab learns that it has expired. Never on focus. */
export const useDeadline = (checkout: PageCheckout, read: () => void): void => {
  const { now: drawnAt } = useInitialData()
  const { status, validUntil } = checkout

  useEffect(() => {
    if (status !== 'open') return undefined
    const deadline = Date.parse(validUntil)
    // Counted from the server's clock: the shopper's may be hours off.
    const now = (): number => drawnAt + performance.now()
    let timer: ReturnType<typeof setTimeout>
    const sleep = (): void => {
      timer = setTimeout(
        () => {
          if (isDue(deadline, now())) read()
          sleep()
        },
        pauseBeforeDeadlineMs(deadline, now()),
      )
    }
    sleep()
    return () => clearTimeout(timer)
  }, [status, validUntil, drawnAt, read])
}
