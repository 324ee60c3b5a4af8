/** Account screen: the person's own name, language, passkeys and sessions. */
import { Screen } from '../../shell/screen.tsx'
import { useWords } from '../../words/language.tsx'
import { PasskeysCard } from './passkeys-card.tsx'
import { PersonCard } from './person-card.tsx'
import { SessionsCard } from './sessions-card.tsx'
import { accountWords } from './words.ts'

export const AccountScreen = () => {
  const words = useWords(accountWords)
  return (
    <Screen title={words.title}>
      <PersonCard />
      <PasskeysCard />
      <SessionsCard />
    </Screen>
  )
}
