/** Read at the deadline: an open tab learns that its checkout has expired. Not on focus. */
import { useEffect } from 'react'
import type { PageCheckout } from '../parse-answers.ts'
import { useInitialData } from '../page-context.ts'
import { delayToDeadlineMs, isPastDeadline } from './deadline.ts'

export const useReadAtDeadline = (checkout: PageCheckout, read: () => void): void => {
  const { now: drawnAt } = useInitialData()
  const { status, validUntil } = checkout

  useEffect(() => {
    if (status !== 'open') return undefined
    const deadline = Date.parse(validUntil)
    // By the server's clock: the shopper's may be hours off.
    const now = (): number => drawnAt + performance.now()
    let timer: ReturnType<typeof setTimeout>
    const schedule = (): void => {
      timer = setTimeout(
        () => {
          if (isPastDeadline(deadline, now())) read()
          schedule()
        },
        delayToDeadlineMs(deadline, now()),
      )
    }
    schedule()
    return () => clearTimeout(timer)
  }, [status, validUntil, drawnAt, read])
}
