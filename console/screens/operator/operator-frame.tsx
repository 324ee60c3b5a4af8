/** Frame of the operator's screens: heading and sub-navigation. */
import type { ReactNode } from 'react'
import { Screen } from '../../shell/screen.tsx'
import { SubNavigation } from '../../shell/sub-navigation.tsx'
import { useWords } from '../../words/language.tsx'
import { operatorWords } from './words.ts'

export const OperatorFrame = ({
  actions,
  children,
}: {
  readonly actions?: ReactNode
  readonly children: ReactNode
}) => {
  const words = useWords(operatorWords)
  return (
    <Screen title={words.title} actions={actions}>
      <SubNavigation
        label={words.title}
        items={[
          { href: '/operator', label: words.shops },
          { href: '/operator/doubts', label: words.doubts },
          { href: '/operator/outbox', label: words.outbox },
          { href: '/operator/doctor', label: words.doctor },
          { href: '/operator/audit', label: words.audit },
        ]}
      />
      {children}
    </Screen>
  )
}
