/** Frame of the screens about people: heading and, for owners, the way to the audit list. */
import type { ReactNode } from 'react'
import { hasRole } from '#contract/console/roles.ts'
import { useShop } from '../../session/session.tsx'
import { Screen } from '../../shell/screen.tsx'
import { SubNavigation } from '../../shell/sub-navigation.tsx'
import { useWords } from '../../words/language.tsx'
import { peopleWords } from './words.ts'

export const PeopleFrame = ({ actions, children }: { readonly actions?: ReactNode; readonly children: ReactNode }) => {
  const words = useWords(peopleWords)
  const { role } = useShop()
  return (
    <Screen title={words.title} actions={actions}>
      {hasRole(role, 'owner') ? (
        <SubNavigation
          label={words.title}
          items={[
            { href: '/people', label: words.members },
            { href: '/people/audit', label: words.audit },
          ]}
        />
      ) : null}
      {children}
    </Screen>
  )
}
