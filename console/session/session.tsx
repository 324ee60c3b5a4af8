/** Session: who has signed in, at which shops, and which of these the screen is about. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { createContext, useCallback, useContext } from 'react'
import type { Static } from 'typebox'
import type { MerchantMode } from '#contract/access.ts'
import { readSession, type SessionAnswer } from '#contract/console/person.ts'
import type { CallFailure } from './api.ts'
import { CallFailed, SESSION_KEY, useApi } from './api-context.tsx'

export type ShopOfPerson = Static<typeof SessionAnswer>['shops'][number]

export type SessionState =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly failure: CallFailure; retry(): void }
  | { readonly state: 'signed out' }
  | { readonly state: 'signed in'; readonly session: SessionAnswer }

/** Read when the console is opened and whenever its window gets the focus again: a tab learns that another has signed out. */
export const useSessionState = (): SessionState => {
  const api = useApi()
  const { data, error, refetch } = useQuery<SessionAnswer | null>({
    queryKey: SESSION_KEY,
    queryFn: async ({ signal }) => {
      const result = await api.send(readSession, {}, undefined, signal)
      if (result.ok) return result.value
      if (result.failure.code === 'signed_out') return null
      throw new CallFailed(result.failure)
    },
    staleTime: 0,
    refetchOnWindowFocus: 'always',
  })
  if (data === null) return { state: 'signed out' }
  if (data !== undefined) return { state: 'signed in', session: data }
  return error === null
    ? { state: 'loading' }
    : { state: 'failed', failure: error.failure, retry: () => void refetch() }
}

/** Reads the session again: after signing in, and after a change of the person or of the passkeys. */
export const useRefreshSession = (): (() => Promise<void>) => {
  const queries = useQueryClient()
  return useCallback(() => queries.refetchQueries({ queryKey: SESSION_KEY }), [queries])
}

/** Somebody without a passkey, or who has lost all of them, makes one before all else. */
export const needsPasskey = ({ passkeys, isRecovery }: SessionAnswer): boolean => passkeys === 0 || isRecovery

const SessionContext = createContext<SessionAnswer | null>(null)
export const SessionProvider = SessionContext

/** For screens of somebody who has signed in. */
export const useSession = (): SessionAnswer => {
  const session = useContext(SessionContext)
  if (session === null) throw new Error('useSession while nobody has signed in')
  return session
}

/** The shop that the address names, and the mode. */
export interface CurrentShop extends ShopOfPerson {
  readonly mode: MerchantMode
}

const ShopContext = createContext<CurrentShop | null>(null)
export const ShopProvider = ShopContext

/** For screens of a shop. */
export const useShop = (): CurrentShop => {
  const shop = useContext(ShopContext)
  if (shop === null) throw new Error('useShop outside a shop')
  return shop
}
