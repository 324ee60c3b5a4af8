/** Frame of the developers' screens: heading, sub-navigation and the link to the reference. */
import type { ReactNode } from 'react'
import { MERCHANT_BASE } from '#contract/paths.ts'
import { Screen } from '../../shell/screen.tsx'
import { OutsideLink, SubNavigation } from '../../shell/sub-navigation.tsx'
import { useWords } from '../../words/language.tsx'
import { developerWords } from './words.ts'

/** The reference is at the base, beside the console's host. */
const referenceAddress = (): string => {
  const { protocol, host } = window.location
  return `${protocol}//${host.replace(/^console\./, '')}${MERCHANT_BASE}/reference`
}

export const DevelopersFrame = ({
  actions,
  children,
}: {
  readonly actions?: ReactNode
  readonly children: ReactNode
}) => {
  const words = useWords(developerWords)
  return (
    <Screen title={words.title} actions={actions}>
      <SubNavigation
        label={words.title}
        items={[
          { href: '/developers', label: words.keys },
          { href: '/developers/webhooks', label: words.webhooks },
          { href: '/developers/events', label: words.events },
        ]}
      >
        <OutsideLink href={referenceAddress()}>{words.reference}</OutsideLink>
      </SubNavigation>
      {children}
    </Screen>
  )
}
