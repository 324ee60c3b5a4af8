import { createContext, useContext } from 'react'
import type { Api } from './api.ts'
import type { InitialData } from './initial-data.ts'

interface PageContextValue {
  readonly api: Api
  readonly initialData: InitialData
}

export const PageContext = createContext<PageContextValue | null>(null)

const usePageContext = (): PageContextValue => {
  const value = useContext(PageContext)
  if (value === null) throw new Error('the page context is missing')
  return value
}

export const useApi = (): Api => usePageContext().api
export const useInitialData = (): InitialData => usePageContext().initialData
