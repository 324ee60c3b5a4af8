/** Page context: the API client and the initial data, for every component below the app. */
import type { QueryClient } from '@tanstack/query-core'
import { createContext, useContext } from 'react'
import type { Api } from './api.ts'
import type { PageAddress } from '#contract/page.ts'
import type { InitialData } from './initial-data.ts'

interface PageContextValue {
  readonly api: Api
  readonly queryClient: QueryClient
  readonly initialData: InitialData
  /** On the server, where there is no `window.location`. */
  readonly address?: PageAddress
}

export const PageContext = createContext<PageContextValue | null>(null)

export const usePageContext = (): PageContextValue => {
  const value = useContext(PageContext)
  if (value === null) throw new Error('the page context is missing')
  return value
}

export const useApi = (): Api => usePageContext().api
export const useInitialData = (): InitialData => usePageContext().initialData
