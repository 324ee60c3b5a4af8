/** Aria router: links of React Aria, in menus and rows of tables, change the address without loading the document again. */
import type { ReactNode } from 'react'
import { RouterProvider } from 'react-aria-components'
import { useLocation, useRouter } from 'wouter'

/** Below a shop their addresses begin where the shop's ends, as those of wouter do. */
export const AriaRouter = ({ children }: { readonly children: ReactNode }) => {
  const [, navigate] = useLocation()
  const { base } = useRouter()
  return (
    <RouterProvider navigate={(href) => navigate(href)} useHref={(href) => (href.startsWith('/') ? base + href : href)}>
      {children}
    </RouterProvider>
  )
}
