/** Page location: path and query of the address as React state, and how the page replaces its address. */
import { useSyncExternalStore } from 'react'
import { usePageContext } from './page-context.ts'

const listeners = new Set<() => void>()

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  window.addEventListener('popstate', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('popstate', listener)
  }
}

const browserPath = (): string => window.location.pathname
const withoutMark = (search: string): string => search.replace(/^\?/, '')
const browserSearch = (): string => withoutMark(window.location.search)
const browserState = (): unknown => window.history.state

/** The server, where there is no window, draws for the address that it was asked for. */
export const usePath = (): string => {
  const { address } = usePageContext()
  return useSyncExternalStore(subscribe, browserPath, address === undefined ? browserPath : () => address.path)
}

/** The query without its question mark, not decoded. */
export const useSearch = (): string => {
  const { address } = usePageContext()
  return useSyncExternalStore(
    subscribe,
    browserSearch,
    address === undefined ? browserSearch : () => withoutMark(address.search),
  )
}

/** What the history keeps beside this address. The server knows none, and hydration must draw the same. */
export const useHistoryState = (): unknown => useSyncExternalStore(subscribe, browserState, () => null)

/** Replaces the address without a new entry in the history: Back leads to where the shopper came from. */
export const replaceAddress = (address: string | URL, state: unknown): void => {
  window.history.replaceState(state, '', address)
  for (const listener of listeners) listener()
}
