/** Frame of every screen of somebody who has signed in: top bar, navigation, content. */
import { Suspense, type ReactNode } from 'react'
import { useLocation } from 'wouter'
import { Notice } from '../forms/notice.tsx'
import type { CurrentShop } from '../session/session.tsx'
import { useWords } from '../words/language.tsx'
import { shopAddress } from './addresses.ts'
import { ErrorBoundary } from './error-boundary.tsx'
import { Navigation } from './navigation.tsx'
import type { NavigationItem } from './navigation-names.ts'
import { Loading } from './states.tsx'
import { TopBar } from './top-bar.tsx'
import { shellWords } from './words.ts'
import styles from './frame.module.css'

interface FrameProps {
  /** Null: the person belongs to no shop. */
  readonly shop: CurrentShop | null
  readonly items: readonly NavigationItem[]
  readonly hasOperatorScreens: boolean
  readonly children: ReactNode
}

export const Frame = ({ shop, items, hasOperatorScreens, children }: FrameProps) => {
  const words = useWords(shellWords)
  const [address] = useLocation()
  const hasNavigation = shop !== null && items.length > 0
  return (
    <div
      className={`${styles['frame']} ${shop === null ? '' : styles[shop.mode]} ${hasNavigation ? '' : styles['withoutNavigation']}`}
    >
      <a href="#content" className={styles['skip']}>
        {words.skip}
      </a>
      <TopBar shop={shop} hasOperatorScreens={hasOperatorScreens} />
      {hasNavigation ? <Navigation base={shopAddress(shop.label, shop.mode)} items={items} /> : null}
      <main id="content" className={styles['main']} tabIndex={-1}>
        {shop?.isClosed === true ? (
          <div className={styles['closed']}>
            <Notice kind="warning">{words.closed}</Notice>
          </div>
        ) : null}
        <ErrorBoundary address={address}>
          <Suspense fallback={<Loading />}>{children}</Suspense>
        </ErrorBoundary>
      </main>
    </div>
  )
}
