/** Checkout query: the inlined checkout is put into the query cache, so that opening a page makes no call. */
import type { QueryClient } from '@tanstack/query-core'
import { useCallback } from 'react'
import type { PageCheckout } from '../parse-answers.ts'
import { useApi, usePageContext } from '../page-context.ts'
import { useQuery } from '../query-client.ts'
import { crossFade } from '../ui/cross-fade.ts'
import { keepFinalStatus } from './keep-final-status.ts'

const keyOf = (checkoutId: string) => ['checkout', checkoutId] as const

const isCheckout = (value: unknown): value is PageCheckout =>
  typeof value === 'object' && value !== null && 'paymentPending' in value

export const seedCheckout = (client: QueryClient, checkout: PageCheckout | null): void => {
  if (checkout !== null) client.setQueryData(keyOf(checkout.id), checkout)
}

export const useCheckout = (checkoutId: string) => {
  const api = useApi()
  return useQuery({
    queryKey: keyOf(checkoutId),
    queryFn: ({ signal }) => api.readCheckout(checkoutId, signal),
    enabled: checkoutId !== '',
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnMount: false,
    structuralSharing: (known, answer) =>
      isCheckout(known) && isCheckout(answer) ? keepFinalStatus(known, answer) : answer,
  })
}

/**
 * Stores an answer as the checkout's current data. A read in flight is cancelled first: its answer would be older. One that is
 * not open any more leads to another screen.
 */
export const useStoreCheckout = (): ((checkout: PageCheckout) => Promise<void>) => {
  const { queryClient: client } = usePageContext()
  return useCallback(
    async (checkout) => {
      const key = keyOf(checkout.id)
      await client.cancelQueries({ queryKey: key })
      const store = (): void => void client.setQueryData<PageCheckout>(key, (known) => keepFinalStatus(known, checkout))
      if (checkout.status === 'open') store()
      else crossFade(store)
    },
    [client],
  )
}
